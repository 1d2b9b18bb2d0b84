//! Tells the linker where the sections go.

fn main() {
    println!("cargo:rustc-link-arg-bins=-T{}/virt.ld", env!("CARGO_MANIFEST_DIR"));
    println!("cargo:rerun-if-changed=virt.ld");
}
