//! Tells the linker where the sections go: as in the other image.

fn main() {
    println!("cargo:rustc-link-arg-bins=-T{}/../qemu/virt.ld", env!("CARGO_MANIFEST_DIR"));
    println!("cargo:rerun-if-changed=../qemu/virt.ld");
}
