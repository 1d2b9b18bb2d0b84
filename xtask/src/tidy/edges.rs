//! The dependency rule: arrows point down, minds and world never meet.

use alloc::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Violation;
use crate::repository::Repository;

/// Prefix of the crates of this workspace.
const PREFIX: &str = "tropism-";

/// What a dependency is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Normal,
    Test,
}

/// One declared dependency.
#[derive(Clone, Debug)]
pub(super) struct Dependency {
    name: String,
    is_local: bool,
    kind: Kind,
}

/// One package of the workspace.
#[derive(Clone, Debug)]
pub(super) struct Package {
    /// Name without the prefix.
    pub(super) name: String,
    /// Folder from the root.
    folder: String,
    /// Source of its library or first program, from the root.
    pub(super) root: String,
    /// Text of the manifest.
    pub(super) manifest: String,
    dependencies: Vec<Dependency>,
}

impl Package {
    /// Path of a file of this package from the root.
    pub(super) fn file(&self, inner: &str) -> String {
        format!("{}/{inner}", self.folder)
    }

    fn line_of(&self, dependency: &str) -> usize {
        let starts = |line: &str| {
            let rest = line.trim_start().trim_start_matches(PREFIX).strip_prefix(dependency);
            rest.is_some_and(|rest| rest.starts_with([' ', '.', '=']))
        };
        self.manifest.lines().position(starts).map_or(1, |i| i + 1)
    }

    fn violation(&self, dependency: &str, what: String, right: impl Into<String>) -> Violation {
        Violation::new(&self.file("Cargo.toml"), self.line_of(dependency), what, right)
    }
}

/// What one crate may depend on.
struct Layer {
    name: &'static str,
    stratum: u8,
    role: Role,
    /// Crates of this workspace it may use; `None` is everything in lower strata.
    local: Option<&'static [&'static str]>,
    /// Crates from outside it may use; `None` is any.
    outside: Option<&'static [&'static str]>,
    /// True when it promises `no_std`.
    is_no_std: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Ground,
    Mind,
    World,
    Above,
    Leaf,
    Tool,
}

const fn below(
    name: &'static str,
    stratum: u8,
    role: Role,
    local: &'static [&'static str],
    outside: &'static [&'static str],
) -> Layer {
    Layer { name, stratum, role, local: Some(local), outside: Some(outside), is_no_std: true }
}

const fn above(
    name: &'static str,
    stratum: u8,
    role: Role,
    local: Option<&'static [&'static str]>,
) -> Layer {
    Layer { name, stratum, role, local, outside: None, is_no_std: false }
}

const GROUND: &[&str] = &["core", "body"];

/// Every crate has its place here; a new one must be given one.
const LAYERS: &[Layer] = &[
    below("core", 0, Role::Ground, &[], &["libm"]),
    below("body", 1, Role::Ground, &["core"], &[]),
    below("organism", 2, Role::Mind, GROUND, &[]),
    below("dynamics", 2, Role::Mind, GROUND, &[]),
    below("reactive", 2, Role::Mind, GROUND, &[]),
    below("octopus", 2, Role::Mind, GROUND, &[]),
    below("maps", 2, Role::Mind, GROUND, &[]),
    below("world", 2, Role::World, GROUND, &["wide"]),
    below(
        "wire",
        2,
        Role::Above,
        &["core", "body", "organism", "dynamics", "octopus"],
        &["serde", "serde_json", "schemars", "postcard", "ryu"],
    ),
    above("scenario", 3, Role::Above, None),
    above("dynamics-spec", 3, Role::Above, None),
    above("octopus-tools", 3, Role::Above, None),
    above("ethology", 3, Role::Above, Some(&["core"])),
    above("dynamics-lab", 4, Role::Above, None),
    above("lab", 4, Role::Above, None),
    above("session", 5, Role::Above, None),
    above("cli", 6, Role::Leaf, None),
    above("server", 6, Role::Leaf, None),
    above("wasm", 6, Role::Leaf, None),
    above("python", 6, Role::Leaf, None),
    above("testkit", 9, Role::Tool, Some(&["core", "body", "world"])),
    above("bench", 9, Role::Tool, None),
    above("xtask", 9, Role::Tool, None),
    above("xtask-bindgen", 9, Role::Tool, None),
];

/// Crates from outside that tests of strata 0 to 2 may use.
const TEST_CRATES: &[&str] = &["proptest", "expect-test", "serde_json", "tempfile"];

fn layer(name: &str) -> Option<&'static Layer> {
    LAYERS.iter().find(|layer| layer.name == name)
}

/// True when a crate promises `no_std`.
pub(super) fn promises_no_std(name: &str) -> bool {
    layer(name).is_some_and(|layer| layer.is_no_std)
}

/// The packages of the workspace.
pub(super) fn packages(repository: &Repository) -> Result<Vec<Package>> {
    described(repository, "Cargo.toml")
}

/// The packages of the firmware, which is a workspace of its own; none when there is none.
pub(super) fn firmware_packages(repository: &Repository) -> Result<Vec<Package>> {
    if repository.read("firmware/Cargo.toml").is_none() {
        return Ok(Vec::new());
    }
    described(repository, "firmware/Cargo.toml")
}

fn described(repository: &Repository, manifest: &str) -> Result<Vec<Package>> {
    let ask = ["metadata", "--format-version", "1", "--no-deps", "--manifest-path", manifest];
    let metadata: Value = serde_json::from_str(&repository.output("cargo", &ask)?)?;
    let root = repository.path("");
    let mut packages = parse(&metadata, &root).context("cargo metadata has another shape")?;
    for package in &mut packages {
        package.manifest = repository.read(&package.file("Cargo.toml")).unwrap_or_default();
    }
    Ok(packages)
}

fn parse(metadata: &Value, root: &Path) -> Option<Vec<Package>> {
    let bare = |name: &str| name.strip_prefix(PREFIX).unwrap_or(name).to_owned();
    let mut packages = Vec::new();
    for package in metadata["packages"].as_array()? {
        let manifest = Path::new(package["manifest_path"].as_str()?);
        let folder = manifest.parent()?.strip_prefix(root).ok()?;
        let mut dependencies = Vec::new();
        for dependency in package["dependencies"].as_array()? {
            let is_test = dependency["kind"].as_str() == Some("dev");
            dependencies.push(Dependency {
                name: bare(dependency["name"].as_str()?),
                is_local: dependency["path"].is_string(),
                kind: if is_test { Kind::Test } else { Kind::Normal },
            });
        }
        let targets = package["targets"].as_array()?;
        let is_library = |target: &&Value| target["kind"][0].as_str() == Some("lib");
        let target = targets.iter().find(is_library).or_else(|| targets.first())?;
        let source = Path::new(target["src_path"].as_str()?).strip_prefix(root).ok()?;
        packages.push(Package {
            name: bare(package["name"].as_str()?),
            folder: folder.to_str()?.to_owned(),
            root: source.to_str()?.to_owned(),
            manifest: String::new(),
            dependencies,
        });
    }
    Some(packages)
}

/// Checks every edge of the workspace.
pub(super) fn check(packages: &[Package]) -> Vec<Violation> {
    let mut found = Vec::new();
    for package in packages {
        let Some(from) = layer(&package.name) else {
            let right = "give it a stratum in LAYERS of xtask/src/tidy/edges.rs";
            let what = format!("`{}` has no stratum", package.name);
            found.push(Violation::new(&package.file("Cargo.toml"), 1, what, right));
            continue;
        };
        for dependency in &package.dependencies {
            let broken = if dependency.is_local {
                broken_edge(from, dependency)
            } else {
                forbidden_crate(from, dependency)
            };
            if let Some((what, right)) = broken {
                found.push(package.violation(&dependency.name, what, right));
            }
        }
        found.extend(meeting(packages, package, from));
    }
    found
}

fn broken_edge(from: &Layer, to: &Dependency) -> Option<(String, String)> {
    let what = format!("`{}` depends on `{}`", from.name, to.name);
    let Some(target) = layer(&to.name) else {
        return Some((what, "give the other crate a stratum first".into()));
    };
    if from.name == target.name || (to.kind == Kind::Test && target.role != Role::Tool) {
        return None;
    }
    if target.role == Role::Tool {
        let is_fine =
            target.name == "testkit" && (to.kind == Kind::Test || from.role == Role::Tool);
        return (!is_fine).then(|| (what, "tools serve tests only: [dev-dependencies]".into()));
    }
    if let Some(allowed) = from.local {
        let right = match allowed {
            [] => "it stands on no other crate".to_owned(),
            _ => format!("it may use {}", allowed.join(", ")),
        };
        return (!allowed.contains(&target.name)).then_some((what, right));
    }
    if from.name == "cli" && target.role == Role::Leaf {
        return None;
    }
    if from.role == Role::Leaf && target.role == Role::Leaf {
        return Some((what, "leaves stand alone; only `cli` composes them".into()));
    }
    let right = format!("stratum {} uses only strata below it", from.stratum);
    (target.stratum >= from.stratum).then_some((what, right))
}

fn forbidden_crate(from: &Layer, to: &Dependency) -> Option<(String, String)> {
    let outside = from.outside?;
    let name = to.name.as_str();
    let is_fine = outside.contains(&name) || (to.kind == Kind::Test && TEST_CRATES.contains(&name));
    let right = match (to.kind, outside) {
        (Kind::Test, _) => format!("its tests may use {}", TEST_CRATES.join(", ")),
        (Kind::Normal, []) => format!("stratum {} uses no crate from outside here", from.stratum),
        (Kind::Normal, _) => format!("from outside it may use {}", outside.join(", ")),
    };
    (!is_fine).then(|| (format!("`{}` depends on `{name}`", from.name), right))
}

/// A mind that reaches the world, or the world a mind, over any number of edges, even in tests.
fn meeting(packages: &[Package], package: &Package, from: &Layer) -> Vec<Violation> {
    let other = match from.role {
        Role::Mind => Role::World,
        Role::World => Role::Mind,
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    for first in package.dependencies.iter().filter(|d| d.is_local && d.name != package.name) {
        let mut reached = BTreeSet::new();
        let mut open = vec![first.name.as_str()];
        while let Some(name) = open.pop() {
            if reached.insert(name)
                && let Some(next) = packages.iter().find(|package| package.name == name)
            {
                let uses = next.dependencies.iter();
                let uses = uses.filter(|d| d.is_local && d.kind == Kind::Normal);
                open.extend(uses.map(|d| d.name.as_str()));
            }
        }
        let met = reached.iter().find(|name| layer(name).is_some_and(|l| l.role == other));
        if let Some(met) = met {
            let what = format!("`{}` sees `{met}` through `{}`", package.name, first.name);
            found.push(package.violation(&first.name, what, "minds and world speak `body` only"));
        }
    }
    found
}

/// Firmware uses strata 0 to 2 only. The recorder is a tool of the host: it may live in the world.
pub(super) fn check_firmware(packages: &[Package]) -> Vec<Violation> {
    let mut found = Vec::new();
    for package in packages {
        for to in package.dependencies.iter().filter(|d| d.is_local) {
            let is_own = packages.iter().any(|p| p.name == to.name);
            let is_recorder = package.name.ends_with("parity-record");
            let is_above = |l: &Layer| l.stratum > 2 || (l.role == Role::World && !is_recorder);
            if !is_own && layer(&to.name).is_none_or(is_above) {
                let what = format!("firmware `{}` depends on `{}`", package.name, to.name);
                let right = "firmware uses core, body, minds and wire only";
                found.push(package.violation(&to.name, what, right));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(packages: &mut Vec<Package>, name: &str) -> usize {
        if let Some(i) = packages.iter().position(|package| package.name == name) {
            return i;
        }
        packages.push(Package {
            name: name.into(),
            folder: format!("crates/{name}"),
            root: format!("crates/{name}/src/lib.rs"),
            manifest: String::new(),
            dependencies: Vec::new(),
        });
        packages.len() - 1
    }

    /// Edges as `from > to` (normal) or `from ~ to` (in tests); a `*` marks a crate from outside.
    fn graph(edges: &[&str]) -> Vec<Package> {
        let mut packages = Vec::new();
        for edge in edges {
            let words: Vec<&str> = edge.split(' ').collect();
            let from = index(&mut packages, words[0]);
            let is_local = !words[2].starts_with('*');
            let name = words[2].trim_start_matches('*').to_owned();
            if is_local {
                index(&mut packages, &name);
            }
            let kind = if words[1] == "~" { Kind::Test } else { Kind::Normal };
            packages[from].dependencies.push(Dependency { name, is_local, kind });
        }
        packages
    }

    fn check_edges(edges: &[&str], expected: &[&str]) {
        let found: Vec<String> = check(&graph(edges)).iter().map(ToString::to_string).collect();
        assert_eq!(found, expected, "{edges:?}");
    }

    #[test]
    fn unit_edges_that_point_down_are_fine() {
        check_edges(
            &[
                "core > *libm",
                "body > core",
                "organism > body",
                "organism ~ *expect-test",
                "organism ~ testkit",
                "world > *wide",
                "wire > octopus",
                "wire > *serde",
                "wire ~ wire",
                "scenario > world",
                "ethology > core",
                "ethology > *parquet",
                "lab > scenario",
                "server > lab",
                "cli > server",
                "xtask > scenario",
            ],
            &[],
        );
    }

    #[test]
    fn unit_a_made_up_wrong_edge_is_found() {
        for (edge, right) in [
            ("core > body", "it stands on no other crate"),
            ("body > world", "it may use core"),
            ("wire > world", "it may use core, body, organism, dynamics, octopus"),
            ("ethology > world", "it may use core"),
            ("scenario > lab", "stratum 3 uses only strata below it"),
            ("server > wasm", "leaves stand alone; only `cli` composes them"),
            ("lab > testkit", "tools serve tests only: [dev-dependencies]"),
            ("body > *serde", "stratum 1 uses no crate from outside here"),
            ("world > *rand", "from outside it may use wide"),
            ("core ~ *rayon", "its tests may use proptest, expect-test, serde_json, tempfile"),
        ] {
            let words: Vec<&str> = edge.split([' ', '*']).collect();
            let (from, to) = (words[0], words[words.len() - 1]);
            let what = format!("`{from}` depends on `{to}`");
            check_edges(&[edge], &[&format!("crates/{from}/Cargo.toml:1: {what}: {right}")]);
        }
    }

    #[test]
    fn unit_minds_and_world_never_meet_not_even_in_tests_or_through_others() {
        let found = check(&graph(&["organism ~ testkit", "testkit > world"]));
        assert_eq!(
            found.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["crates/organism/Cargo.toml:1: `organism` sees `world` through `testkit`: minds and \
              world speak `body` only"]
        );
        assert_eq!(check(&graph(&["world ~ maps"])).len(), 1);
        assert_eq!(check(&graph(&["maps ~ world"])).len(), 1);
    }

    #[test]
    fn unit_a_crate_without_a_stratum_is_found() {
        let found = check(&graph(&["gripper > core"]));
        assert!(found[0].to_string().contains("`gripper` has no stratum"), "{found:?}");
    }

    #[test]
    fn unit_firmware_stays_below_stratum_three() {
        assert!(check_firmware(&graph(&["parity > organism", "parity > wire"])[..1]).is_empty());
        assert_eq!(check_firmware(&graph(&["parity > scenario"])[..1]).len(), 1);
        assert_eq!(check_firmware(&graph(&["parity > world"])[..1]).len(), 1);
    }

    #[test]
    fn unit_metadata_is_read_and_the_line_of_an_edge_is_found() {
        let metadata = serde_json::json!({ "packages": [{
            "name": "tropism-body",
            "manifest_path": "/r/crates/body/Cargo.toml",
            "targets": [
                { "kind": ["test"], "src_path": "/r/crates/body/tests/a.rs" },
                { "kind": ["lib"], "src_path": "/r/crates/body/src/lib.rs" },
            ],
            "dependencies": [
                { "name": "tropism-core", "path": "/r/crates/core", "kind": null },
                { "name": "proptest", "kind": "dev" },
            ],
        }]});
        let mut packages = parse(&metadata, Path::new("/r")).unwrap();
        packages[0].manifest = "[dependencies]\ntropism-core.workspace = true\n".into();
        assert_eq!(packages[0].file("Cargo.toml"), "crates/body/Cargo.toml");
        assert_eq!(packages[0].root, "crates/body/src/lib.rs");
        assert_eq!(packages[0].line_of("core"), 2);
        let [core, proptest] = &packages[0].dependencies[..] else { panic!("two dependencies") };
        assert!(core.is_local && core.kind == Kind::Normal && core.name == "core");
        assert!(!proptest.is_local && proptest.kind == Kind::Test);
        assert!(parse(&serde_json::json!({}), Path::new("/r")).is_none());
    }
}
