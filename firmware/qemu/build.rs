//! Tells the linker where the sections go.

fn main() {
    println!("cargo:rustc-link-arg-bins=-T{}/../board/virt.ld", env!("CARGO_MANIFEST_DIR"));
    println!("cargo:rerun-if-changed=../board/virt.ld");
}
