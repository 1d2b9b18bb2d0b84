//! `xtask-bindgen MODULE.wasm FOLDER`: the JavaScript side of a WebAssembly module.
//!
//! Terms: the *glue* is the JavaScript that turns values of one side into values of the other.
//!
//! What it does not do: it compiles nothing and makes nothing smaller; `cargo xtask web` does.

use std::path::Path;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        bail!("usage: xtask-bindgen MODULE.wasm FOLDER");
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(Path::new(module));
    // Without its own address of the module a bundler would leave the module out.
    bindgen.web(true)?.typescript(true).omit_default_module_path(false);
    bindgen.generate(folder).with_context(|| format!("cannot make the glue of {module}"))
}
