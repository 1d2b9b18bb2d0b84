//! Tells the linker where its script is.
fn main() {
    println!("cargo:rustc-link-search={}", std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default());
    println!("cargo:rerun-if-changed=virt.ld");
    println!("cargo:rerun-if-changed=network.blob");
}
