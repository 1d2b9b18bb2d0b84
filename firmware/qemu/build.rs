//! Tells the linker where the sections go.

fn main() {
    let here = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo:rustc-link-arg-bins=-T{here}/virt.ld");
    println!("cargo:rerun-if-changed=virt.ld");
}
