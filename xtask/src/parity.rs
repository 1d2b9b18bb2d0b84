//! The same mind on every target: equal commands, and budgets of a microcontroller.
//!
//! Builds the replay of `firmware/` for the host (debug and release), for WebAssembly and for a
//! bare riscv32imc core, runs all four on the same recorded lives and compares what they print.
//! Writes nothing outside the target folders.
#![expect(clippy::print_stdout, reason = "the table is what this command is for")]
#![expect(clippy::std_instead_of_alloc, reason = "a program of the host")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

const BOARD: &str = "riscv32imc-unknown-none-elf";
const WEB: &str = "wasm32-unknown-unknown";

/// Body number, name and ticks of each recording.
const LIVES: [(&str, &str, &str); 2] =
    [("0", "7 + 5 channels", "12000"), ("1", "16 + 16 channels", "4000")];

/// Most bytes of everything a robot keeps between two ticks.
const ENGINE_BYTES_MAX: u64 = 32 * 1024;
/// Most bytes of code and constants of an image, with the life state or without.
const FLASH_BYTES_MAX: u64 = 96 * 1024;
/// 5 % of a tick of 1/20 s on a core of 160 MHz.
const CYCLES_MAX: u64 = 400_000;
/// Cycles per instruction, in tenths: an assumption for a small in-order core, not a measurement.
const CYCLES_PER_TEN_INSTRUCTIONS: u64 = 13;

type Report = BTreeMap<String, String>;

/// One way to run the replay.
struct Variant {
    name: &'static str,
    run: Box<dyn Fn(&Path) -> Command>,
}

/// Builds, runs, compares and prints.
///
/// # Errors
/// When a build or run fails, hashes differ or a budget is exceeded.
pub(crate) fn run() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask has a parent")?;
    let firmware = root.join("firmware");
    execute(Command::new("rustup").args(["target", "add", BOARD, WEB]))?;
    for target in [BOARD, WEB] {
        let mut build = Command::new("cargo");
        build.args(["build", "-q", "-p", "tropism-wire", "--target", target]).current_dir(root);
        execute(&mut build)?;
    }
    let variants = build(&firmware)?;
    let folder = firmware.join("target/parity");
    std::fs::create_dir_all(&folder)?;
    let mut faults = Vec::new();
    for (number, channels, ticks) in LIVES {
        let recording = folder.join(format!("body-{number}.bin"));
        let mut record = Command::new(firmware.join("target/release/record"));
        execute(record.args([number, ticks]).arg(&recording))?;
        let mut reports = Vec::new();
        for variant in &variants {
            let text = execute(&mut (variant.run)(&recording))
                .with_context(|| format!("{} on {channels}", variant.name))?;
            reports.push((variant.name, parse(&text)));
        }
        println!("{channels}, {ticks} ticks");
        compare(&reports, &mut faults);
        budgets(number == "0", &reports, &mut faults)?;
    }
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    octopus(&firmware)
}

/// Eight arms on the emulated core: the image itself compares with what the host gives, which the
/// octopus's own tests hold the host to, and fails where they differ.
fn octopus(firmware: &Path) -> Result<()> {
    let image = "tropism-octopus-qemu";
    let build = ["build", "-q", "-p", image, "--release", "--target", BOARD];
    execute(Command::new("cargo").args(build).current_dir(firmware))?;
    let text = execute(
        emulator()
            .arg("-kernel")
            .arg(firmware.join("target").join(BOARD).join("release").join(image)),
    )?;
    println!("octopus, riscv32imc against the host");
    text.lines().for_each(|line| println!("  {line}"));
    Ok(())
}

/// Builds all variants; the last one is the image whose budgets count.
fn build(firmware: &Path) -> Result<Vec<Variant>> {
    let target = firmware.join("target");
    let cargo = |arguments: &[&str]| {
        execute(Command::new("cargo").args(["build", "-q"]).args(arguments).current_dir(firmware))
    };
    cargo(&["-p", "tropism-parity", "--features", "wire"])?;
    cargo(&["-p", "tropism-parity", "--features", "wire", "--release"])?;
    cargo(&["-p", "tropism-parity-record", "--release"])?;
    cargo(&["-p", "tropism-parity-wasm", "--features", "wire", "--release", "--target", WEB])?;
    let board = ["-p", "tropism-parity-qemu", "--release", "--target", BOARD];
    let built = target.join(BOARD).join("release/tropism-parity-qemu");
    let images = target.join("parity");
    std::fs::create_dir_all(&images)?;
    let (full, plain) = (images.join("board-wire"), images.join("board"));
    cargo(&[&board[..], &["--features", "wire"]].concat())?;
    std::fs::copy(&built, &full)?;
    cargo(&board)?;
    std::fs::copy(&built, &plain)?;
    let module = target.join(WEB).join("release/tropism_parity_wasm.wasm");
    let script = firmware.join("wasm/parity.mjs");
    let (debug, release) = (target.join("debug/replay"), target.join("release/replay"));
    let variant = |name, run| Variant { name, run };
    Ok(vec![
        variant("host debug", host(debug)),
        variant("host release", host(release)),
        variant(
            "wasm32",
            Box::new(move |recording: &Path| {
                let mut node = Command::new("node");
                node.arg(&script).arg(&module).arg(recording);
                node
            }),
        ),
        variant("riscv32imc + life state", emulated(full)),
        variant("riscv32imc", emulated(plain)),
    ])
}

fn host(program: PathBuf) -> Box<dyn Fn(&Path) -> Command> {
    Box::new(move |recording| {
        let mut replay = Command::new(&program);
        replay.arg(recording);
        replay
    })
}

/// One instruction per tick of the emulated clock; any floating-point or atomic instruction traps.
fn emulator() -> Command {
    let mut emulator = Command::new("qemu-system-riscv32");
    emulator
        .args(["-M", "virt", "-cpu", "rv32,f=false,d=false,a=false", "-smp", "1"])
        .args(["-m", "128M", "-nographic", "-bios", "none", "-icount", "shift=0"])
        .args(["-semihosting-config", "enable=on,target=native"])
        .stdin(std::process::Stdio::null());
    emulator
}

/// An image with a recording in its memory.
fn emulated(image: PathBuf) -> Box<dyn Fn(&Path) -> Command> {
    Box::new(move |recording| {
        let recording = recording.display();
        let mut emulator = emulator();
        emulator
            .arg("-device")
            .arg(format!("loader,file={recording},addr=0x84000000,force-raw=on"))
            .arg("-kernel")
            .arg(&image);
        emulator
    })
}

/// Runs a command to its end; gives its output, or says what failed and what to install.
fn execute(command: &mut Command) -> Result<String> {
    // What is built is looked for below `firmware/target`.
    command.env_remove("CARGO_TARGET_DIR");
    let output = command.output().with_context(|| {
        let program = command.get_program().to_string_lossy().into_owned();
        format!("`{program}` does not start; `.ci/install` installs what is missing")
    })?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        bail!("{command:?}: {}\n{text}{errors}", output.status);
    }
    Ok(text)
}

/// Lines of a key and a value.
fn parse(text: &str) -> Report {
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    pairs.map(|(key, value)| (key.to_owned(), value.trim().to_owned())).collect()
}

fn number(report: &Report, key: &str) -> Result<u64> {
    let value = report.get(key).with_context(|| format!("the report lacks `{key}`"))?;
    value.parse().with_context(|| format!("`{key}` is `{value}`"))
}

/// All variants print the same commands; those with a life state the same document.
fn compare(reports: &[(&str, Report)], faults: &mut Vec<String>) {
    println!("  {:<24} {:>16} {:>16}", "", "commands", "document");
    let of = |report: &Report, key: &str| report.get(key).cloned().unwrap_or_default();
    for (i, (name, report)) in reports.iter().enumerate() {
        let (commands, document) = (of(report, "command_hash"), of(report, "document_hash"));
        // Only the plain image, which comes last, writes none.
        let has_document = i + 1 < reports.len() || of(report, "document_bytes") != "0";
        let shown = if has_document { &document } else { "-" };
        println!("  {name:<24} {commands:>16} {shown:>16}");
        let (first, expected) = &reports[0];
        if commands.is_empty() || commands != of(expected, "command_hash") {
            faults.push(format!("{name} gives other commands than {first}"));
        }
        if has_document && document != of(expected, "document_hash") {
            faults.push(format!("{name} writes another life state than {first}"));
        }
    }
}

fn budgets(
    is_example_body: bool,
    reports: &[(&str, Report)],
    faults: &mut Vec<String>,
) -> Result<()> {
    let [.., (_, full), (_, plain)] = reports else { bail!("no variants") };
    let cycles =
        |key| Ok::<_, anyhow::Error>(number(plain, key)? * CYCLES_PER_TEN_INSTRUCTIONS / 10);
    let (mean, worst) = (cycles("instructions_mean")?, cycles("instructions_worst")?);
    let cycles_max = if is_example_body { CYCLES_MAX } else { u64::MAX };
    for (what, value, most, unit) in [
        ("engine state", number(plain, "engine_bytes")?, ENGINE_BYTES_MAX, "B"),
        ("flash", number(plain, "flash_bytes")?, FLASH_BYTES_MAX, "B"),
        ("flash + life state", number(full, "flash_bytes")?, FLASH_BYTES_MAX, "B"),
        ("cycles per tick, mean", mean, cycles_max, ""),
        ("cycles per tick, worst", worst, cycles_max, ""),
    ] {
        let bound = if most == u64::MAX { "-".to_owned() } else { most.to_string() };
        println!("  {what:<24} {value:>10} {unit:<2} of {bound}");
        if value > most {
            faults.push(format!("{what}: {value} {unit} exceed {most}"));
        }
    }
    println!(
        "  instructions per tick: mean {}, worst {} (cycles: x 1.3, assumed)",
        number(plain, "instructions_mean")?,
        number(plain, "instructions_worst")?
    );
    println!(
        "  share of a core of 160 MHz at 20 Hz: mean {}.{:02} %, worst {}.{:02} %",
        mean / 80_000,
        mean % 80_000 / 800,
        worst / 80_000,
        worst % 80_000 / 800
    );
    println!(
        "  stack {} B; with the life state: stack {} B, document {} B, blob {} B",
        number(plain, "stack_bytes")?,
        number(full, "stack_bytes")?,
        number(full, "document_bytes")?,
        number(full, "blob_bytes")?
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(commands: &str, document: &str, flash: &str, instructions: &str) -> Report {
        parse(&format!(
            "command_hash {commands}\ndocument_hash {document}\ndocument_bytes 9\n\
             engine_bytes 28000\nflash_bytes {flash}\ninstructions_mean {instructions}\n\
             instructions_worst {instructions}\nstack_bytes 1\nblob_bytes 1\n"
        ))
    }

    #[test]
    fn unit_other_commands_and_another_document_are_faults() {
        let good = || report("aa", "bb", "1", "1");
        for (odd, expected) in [
            (good(), 0),
            (report("ab", "bb", "1", "1"), 1),
            (report("aa", "bc", "1", "1"), 1),
            (Report::new(), 2),
        ] {
            let mut faults = Vec::new();
            compare(&[("host", good()), ("board", odd)], &mut faults);
            assert_eq!(faults.len(), expected, "{faults:?}");
        }
    }

    #[test]
    fn unit_each_budget_can_be_exceeded_and_a_missing_figure_is_an_error() {
        let faults_of = |flash: &str, instructions: &str| {
            let reports = [
                ("full", report("", "", "1", "1")),
                ("plain", report("", "", flash, instructions)),
            ];
            let mut faults = Vec::new();
            budgets(true, &reports, &mut faults).map(|()| faults.len())
        };
        assert_eq!(faults_of("98304", "307692").unwrap(), 0);
        assert_eq!(faults_of("98305", "307692").unwrap(), 1);
        assert_eq!(faults_of("98304", "307693").unwrap(), 0);
        assert_eq!(faults_of("98304", "307700").unwrap(), 2);
        assert!(faults_of("x", "1").is_err());
    }
}
