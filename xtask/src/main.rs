//! Checks and CI steps: `cargo xtask TASK`.

mod parity;

fn main() -> anyhow::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("parity") => parity::run(),
        other => anyhow::bail!("no task `{}`; there is: parity", other.unwrap_or("")),
    }
}
