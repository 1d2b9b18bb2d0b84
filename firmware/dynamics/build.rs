//! Hands the memory layout to the linker, for the emulated machine only.

fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo:rerun-if-changed=virt.ld");
    println!("cargo:rerun-if-changed=network.blob");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "riscv32") {
        println!("cargo:rustc-link-arg-bins=-T{folder}/virt.ld");
    }
}
