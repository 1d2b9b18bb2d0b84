//! Makes a new page a reason to compile again.
//!
//! A folder that appears is not noticed by itself: whatever builds the page touches this file.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::path::Path::new("../../web/dist").is_dir() {
        println!("cargo:rerun-if-changed=../../web/dist");
    }
}
