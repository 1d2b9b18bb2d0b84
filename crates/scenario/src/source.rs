//! Files, and the documents that documents refer to.
//!
//! Terms: the *origin* of a document is the folder its relative paths start from and the chain of
//! files that led to it; its *own* files stand in the document itself, under `files`.
//!
//! What it does not do: nothing is fetched from anywhere but the file system.

use alloc::rc::Rc;
use core::cell::RefCell;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use toml::de::{DeTable, DeValue};

use crate::error::{Faults, ScenarioError, place, suggest};
use crate::reader::{Doc, Reader};
use crate::schema::Table;
use crate::validate::shown;

/// Largest file that is read, bytes.
pub const SIZE_MAX: u64 = 1 << 20;

/// The key under which a scenario brings files along.
pub(crate) const FILES: &str = "files";

/// Where a document came from, kept for manifests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The file as it was named, or a label.
    pub path: String,
    /// Its whole text.
    pub text: String,
}

/// Folder and chain of a document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    /// Folder that relative paths start from; `None` when the text came from no file.
    pub(crate) dir: Option<PathBuf>,
    /// Texts that stand for files; with them the file system is left alone.
    given: Option<Rc<[Source]>>,
    /// Files that stand in the document itself, or in one that led to it.
    own: Rc<[Source]>,
    /// Files being read, outermost first.
    chain: Vec<PathBuf>,
    /// Files read besides the outermost document, shared by all documents of one reading.
    read: Rc<RefCell<Vec<Source>>>,
}

impl Origin {
    /// A document without a file of its own.
    pub(crate) fn of_text(dir: Option<&Path>) -> Self {
        Self { dir: dir.map(Path::to_path_buf), ..Self::default() }
    }

    /// A document whose files are these texts.
    pub(crate) fn of_files(name: &str, files: &[Source]) -> Self {
        let path = PathBuf::from(name);
        let dir = path.parent().map(Path::to_path_buf);
        let chain = vec![PathBuf::from(label(&path))];
        Self { dir, given: Some(files.into()), chain, ..Self::default() }
    }

    /// The same with the files that a document brings along before those there are.
    fn with_own(&self, table: &DeTable<'_>) -> Self {
        let of = |table: &DeTable<'_>| -> Vec<Source> {
            let files = table.get(FILES).and_then(|files| files.get_ref().as_table());
            let file = |(name, text): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
                let name: &alloc::borrow::Cow<'_, str> = name.get_ref();
                let path = label(Path::new(name.as_ref()));
                Some(Source { path, text: text.get_ref().as_str()?.to_owned() })
            };
            files.into_iter().flatten().filter_map(file).collect()
        };
        let mut own = of(table);
        // That of an experiment stands in its scenario.
        let scenario = table.get("scenario").and_then(|scenario| scenario.get_ref().as_table());
        own.extend(scenario.map(of).unwrap_or_default());
        own.extend(self.own.iter().cloned());
        Self { own: own.into(), ..self.clone() }
    }

    /// The file of this name that a document brings along, and the origin of what stands in it.
    ///
    /// # Errors
    /// It refers back to itself.
    fn own(&self, name: &str) -> Option<Result<(Source, Self), ScenarioError>> {
        let wanted = label(Path::new(name));
        let source = self.own.iter().find(|source| source.path == wanted)?.clone();
        let unique = PathBuf::from(format!("{FILES} {wanted}"));
        if self.chain.contains(&unique) {
            let what = "this file refers back to itself";
            return Some(Err(ScenarioError::of_file(&wanted, what, "break the circle")));
        }
        let mut chain = self.chain.clone();
        chain.push(unique);
        Some(Ok((source, Self { chain, ..self.clone() })))
    }

    /// Reads a file, or the text that stands for it.
    fn read(&self, path: &Path) -> Result<Source, ScenarioError> {
        let Some(given) = &self.given else { return read_text(path) };
        let wanted = label(path);
        let named = |source: &&Source| label(Path::new(&source.path)) == wanted;
        let last = |text: &str| Path::new(text).file_name().map(ToOwned::to_owned);
        let mut alike = given.iter().filter(|source| last(&source.path) == last(&wanted));
        let found = given.iter().find(named).or_else(|| match (alike.next(), alike.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        });
        found.cloned().ok_or_else(|| {
            let what = "was not handed over with the document";
            ScenarioError::of_file(&wanted, what, "hand the file over too")
        })
    }

    /// Remembers a file that was read.
    fn keep(&self, source: Source) {
        let mut read = self.read.borrow_mut();
        if !read.contains(&source) {
            read.push(source);
        }
    }

    /// Files read besides the outermost document, innermost first.
    pub(crate) fn included(&self) -> Vec<Source> {
        self.read.borrow().clone()
    }

    /// A document in this file, read on behalf of this one.
    pub(crate) fn of_file(&self, path: &Path) -> Result<Self, ScenarioError> {
        let unique = match &self.given {
            Some(_) => PathBuf::from(label(path)),
            None => path.canonicalize().unwrap_or_else(|_missing| path.to_path_buf()),
        };
        if self.chain.contains(&unique) {
            let what = "this file refers back to itself";
            return Err(ScenarioError::of_file(&label(path), what, "break the circle"));
        }
        let mut chain = self.chain.clone();
        chain.push(unique);
        let dir = path.parent().map(Path::to_path_buf);
        Ok(Self { dir, chain, ..self.clone() })
    }
}

/// How a path is shown: with `/`, and `folder/..` removed.
pub(crate) fn label(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if parts.last().is_some_and(|p| p != ".." && p != "/") => {
                parts.pop();
            }
            other => parts.push(other.as_os_str().to_string_lossy().into_owned()),
        }
    }
    parts.join("/").replace("//", "/")
}

/// Reads a file as text.
pub(crate) fn read_text(path: &Path) -> Result<Source, ScenarioError> {
    let shown = label(path);
    let refuse = |what: String, right: &str| ScenarioError::of_file(&shown, what, right);
    let meta =
        std::fs::metadata(path).map_err(|e| refuse(format!("cannot be read: {}", why(&e)), ""))?;
    if meta.is_dir() {
        return Err(refuse(String::from("is a folder"), "name a .toml file in it"));
    }
    if !meta.is_file() {
        return Err(refuse(String::from("is no regular file"), "name a .toml file"));
    }
    if meta.len() > SIZE_MAX {
        let what = format!("has {} bytes", meta.len());
        return Err(refuse(what, "a document has at most 1048576 bytes"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(SIZE_MAX).read_to_end(&mut bytes))
        .map_err(|e| refuse(format!("cannot be read: {}", why(&e)), ""))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source { path: shown, text }),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..at].split(|b| *b == b'\n').count();
            let what = format!("line {line} is not UTF-8 text");
            Err(refuse(what, "save the file as UTF-8"))
        }
    }
}

fn why(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => String::from("no such file"),
        std::io::ErrorKind::PermissionDenied => String::from("permission denied"),
        _ => error.to_string(),
    }
}

/// A kind of document.
pub(crate) struct Format<T> {
    /// Value of its `kind` key.
    pub(crate) kind: &'static str,
    /// Its keys.
    pub(crate) schema: &'static Table,
    /// Built-in documents of this kind: name, what it is, text.
    pub(crate) built_in: &'static [(&'static str, &'static str, &'static str)],
    /// Lowering.
    pub(crate) read: fn(&Reader<'_>) -> Option<T>,
}

fn is_toml(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "toml")
}

/// Parses text as TOML and hands the top table to `then`.
pub(crate) fn with_table<T>(
    source: &Source,
    origin: &Origin,
    then: impl FnOnce(Doc<'_>, &toml::Spanned<DeTable<'_>>) -> Option<T>,
) -> Result<T, ScenarioError> {
    let faults = Faults::default();
    let doc = Doc { label: &source.path, text: &source.text, faults: &faults, origin };
    let value = match DeTable::parse(&source.text) {
        Ok(table) => then(doc, &table),
        Err(error) => {
            let span = error.span().unwrap_or(0..0);
            let right = if !source.text.contains('\n') && is_toml(source.text.trim()) {
                "this looks like a path; load the file instead of parsing its name"
            } else {
                ""
            };
            doc.fault(&span, "", format!("no valid TOML: {}", error.message().trim()), right);
            None
        }
    };
    faults.finish(&source.path, value)
}

/// The `kind` of a document, if it is text.
pub(crate) fn kind_of<'d>(table: &'d toml::Spanned<DeTable<'_>>) -> Option<&'d str> {
    table.get_ref().get("kind")?.get_ref().as_str()
}

/// Reports a document whose `kind` is missing or another one.
pub(crate) fn refuse_kind(doc: Doc<'_>, table: &toml::Spanned<DeTable<'_>>, kinds: &[&str]) {
    let wanted = format!("\"{}\"", kinds.join("\", \""));
    let Some(value) = table.get_ref().get("kind") else {
        let right = format!("start the file with `kind = …`, one of {wanted}");
        doc.fault(&(0..0), "kind", "`kind` is missing", right);
        return;
    };
    let right = match value.get_ref().as_str() {
        Some(text) if !["scenario", "experiment", "world", "body", "machine"].contains(&text) => {
            suggest(text, kinds)
        }
        _ => format!("needed here: {wanted}"),
    };
    let found = value
        .get_ref()
        .as_str()
        .map_or_else(|| String::from("no text"), |text| format!("{:?}", shown(text)));
    doc.fault(&value.span(), "kind", format!("`kind` is {found}"), right);
}

/// A fault of a file as a whole is shown at the key that names it, others at their own place.
fn report(r: &Reader<'_>, key: &str, error: ScenarioError) {
    match error.faults() {
        [fault] if fault.line == 0 => {
            r.fault(key, format!("{}: {}", fault.file, fault.what), fault.right.clone());
        }
        _ => {
            let (line, column) = place(r.doc.text, &r.span_of(key));
            r.doc.faults.append(error, &format!("{}:{line}:{column}", r.doc.label));
        }
    }
}

impl<T> Format<T> {
    /// Reads a document of this kind.
    pub(crate) fn parse(&self, source: &Source, origin: &Origin) -> Result<T, ScenarioError> {
        with_table(source, origin, |doc, table| {
            if kind_of(table) != Some(self.kind) {
                refuse_kind(doc, table, &[self.kind]);
                return None;
            }
            let origin = origin.with_own(table.get_ref());
            let doc = Doc { origin: &origin, ..doc };
            let reader = Reader::open(doc, table.get_ref(), 0..0, self.schema, String::new());
            (self.read)(&reader)
        })
    }

    /// A built-in document.
    pub(crate) fn built_in(&self, name: &str) -> Option<Result<T, ScenarioError>> {
        let (_, _, text) = self.built_in.iter().find(|(n, _, _)| *n == name)?;
        let path = format!("built-in {} {name}", self.kind);
        let source = Source { path, text: (*text).to_owned() };
        Some(self.parse(&source, &Origin::default()))
    }

    fn file(&self, r: &Reader<'_>, key: &str, relative: &str) -> Option<T> {
        if let Some(own) = r.doc.origin.own(relative) {
            let inner = own.and_then(|(source, origin)| self.inner(r, source, &origin));
            return inner.map_err(|error| report(r, key, error)).ok();
        }
        let Some(dir) = &r.doc.origin.dir else {
            let right = "give a built-in name or the table itself; this document is no file";
            r.fault(key, format!("`{key}` names the file `{relative}`"), right);
            return None;
        };
        let path = dir.join(relative);
        let inner = r.doc.origin.of_file(&path).and_then(|origin| {
            let source = origin.read(&path)?;
            self.inner(r, source, &origin)
        });
        match inner {
            Ok(value) => Some(value),
            Err(error) => {
                report(r, key, error);
                None
            }
        }
    }

    /// A document read on behalf of another one.
    fn inner(&self, r: &Reader<'_>, source: Source, origin: &Origin) -> Result<T, ScenarioError> {
        let value = self.parse(&source, origin)?;
        r.doc.origin.keep(source);
        Ok(value)
    }

    /// The document a key refers to: a built-in name, a path or the table itself.
    pub(crate) fn resolve(&self, r: &Reader<'_>, key: &str) -> Option<T> {
        if let Some(inline) = r.table(key) {
            return (self.read)(&inline);
        }
        let text = r.maybe_text(key)?;
        if let Some(built_in) = self.built_in(text) {
            return built_in.map_err(|error| report(r, key, error)).ok();
        }
        if is_toml(text) || text.contains('/') || text.contains('\\') {
            return self.file(r, key, text);
        }
        let names: Vec<&str> = self.built_in.iter().map(|(name, _, _)| *name).collect();
        let kind = format!("built-in {}", self.kind);
        r.unknown(key, &kind, text, &names);
        None
    }
}

/// A text file of another language that a key names.
pub(crate) fn text_file(r: &Reader<'_>, key: &str, relative: &str) -> Option<Source> {
    let found = match (r.doc.origin.own(relative), &r.doc.origin.dir) {
        (Some(own), _) => own.map(|(source, _)| source),
        (None, Some(dir)) => r.doc.origin.read(&dir.join(relative)),
        (None, None) => {
            let right = "give a built-in name or the table itself; this document is no file";
            r.fault(key, format!("`{key}` names the file `{relative}`"), right);
            return None;
        }
    };
    match found {
        Ok(source) => {
            r.doc.origin.keep(source.clone());
            Some(source)
        }
        Err(error) => {
            report(r, key, error);
            None
        }
    }
}

/// Line of a span in a document, for messages about an earlier place.
pub(crate) fn line_of(r: &Reader<'_>, span: &core::ops::Range<usize>) -> usize {
    place(r.doc.text, span).0
}
