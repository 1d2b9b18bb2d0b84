//! The guard that keeps what a command writes apart from what it reads and from its other outputs.

use std::path::{Path, PathBuf};

use anyhow::ensure;

/// Files a command reads and writes, each with the option or argument that names it.
#[derive(Debug, Default)]
pub(crate) struct Files<'a> {
    inputs: Vec<(&'a str, PathBuf)>,
    outputs: Vec<(&'a str, PathBuf)>,
}

impl<'a> Files<'a> {
    /// Nothing read or written so far.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A file that is read, if it is given.
    pub(crate) fn read(mut self, name: &'a str, path: Option<&Path>) -> Self {
        self.inputs.extend(path.map(|path| (name, path.to_path_buf())));
        self
    }

    /// A file that is written, if it is given.
    pub(crate) fn write(mut self, name: &'a str, path: Option<&Path>) -> Self {
        self.outputs.extend(path.map(|path| (name, path.to_path_buf())));
        self
    }

    /// Refuses an output that is an input or another output.
    ///
    /// # Errors
    /// A message with the option and what to type instead.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        for (i, (option, path)) in self.outputs.iter().enumerate() {
            let shown = path.display();
            let input = self.inputs.iter().find(|(_, input)| is_same(input, path));
            if let Some((name, _)) = input {
                anyhow::bail!(
                    "{option} {shown}: it is {name} itself and would be overwritten; give \
                     {option} another file name"
                );
            }
            let other = self.outputs[..i].iter().find(|(_, other)| is_same(other, path));
            if let Some((name, _)) = other {
                anyhow::bail!(
                    "{option} {shown}: {name} writes to it too; give {option} another file name"
                );
            }
        }
        Ok(())
    }
}

/// Refuses a number that is not within a closed range.
pub(crate) fn within(
    option: &str,
    value: f64,
    range: (f64, f64),
    unit: &str,
) -> anyhow::Result<()> {
    let (least, most) = range;
    ensure!((least..=most).contains(&value), "{option} is {least} to {most}{unit}, not {value}");
    Ok(())
}

/// True when both name one regular file, or will once it is there. What is no regular file, such
/// as a terminal or `/dev/null`, takes any number of writers.
fn is_same(a: &Path, b: &Path) -> bool {
    let is_special = |path: &Path| path.metadata().is_ok_and(|found| !found.is_file());
    !is_special(a) && !is_special(b) && whole(a) == whole(b)
}

/// The canonical path; of a file that is not there, its folder's with its name.
fn whole(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_outputs_are_told_apart_from_inputs_and_from_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("sub")).unwrap();
        std::fs::write(at("in.csv"), b"x").unwrap();
        // Input, two outputs, and what the refusal says, if it is one.
        let table = [
            ("in.csv", "out.csv", "b.csv", None),
            ("in.csv", "in.csv", "b.csv", Some("--out")),
            ("in.csv", "sub/../in.csv", "b.csv", Some("--out")),
            ("in.csv", "out.csv", "./in.csv", Some("--plot")),
            ("in.csv", "new.csv", "sub/../new.csv", Some("--plot")),
            ("in.csv", "sub/in.csv", "in2.csv", None),
            ("in.csv", "sub", "sub", None),
        ];
        for (input, out, plot, refused) in table {
            let (input, out, plot) = (at(input), at(out), at(plot));
            let files = Files::new().read("the recording", Some(&input));
            let files = files.write("--out", Some(&out)).write("--plot", Some(&plot));
            let said = files.write("--report", None).check().map_err(|e| e.to_string());
            match refused {
                None => assert_eq!(said, Ok(()), "{out:?} {plot:?}"),
                Some(option) => {
                    let said = said.unwrap_err();
                    assert!(said.starts_with(option), "{said}");
                    assert!(said.ends_with(&format!("give {option} another file name")), "{said}");
                }
            }
        }
    }
}
