//! Goal: the command does what it says, says what it does, and survives being killed.
//! Method: the built binary is run in an empty environment; what it prints and its exit code are
//! kept as text; experiments are killed half-way and compared with ones that were not.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use expect_test::{Expect, expect};
use tempfile::TempDir;

const TINY: &str = r#"kind = "experiment"
name = "tiny"
about = "two conditions"
conditions = ["full", "random_walk"]
seeds = { first = 1, count = 3 }
lives = 2
life_cap_s = 360
baseline = "random_walk"

[scenario]
world = "standard"
body = "reference_simulator"
"#;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn one_life() -> String {
    project().join("scenarios/organism/one-life.toml").display().to_string()
}

/// The command in this folder, with nothing in its environment: no display, no home, no terminal.
fn tropism(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tropism"));
    command.args(arguments).current_dir(folder).env_clear().stdin(Stdio::null());
    command
}

struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

fn run(folder: &Path, arguments: &[&str]) -> Said {
    let output = tropism(folder, arguments).output().expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&one_life(), "ONE_LIFE");
    Said { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

/// A folder with one experiment and some files that are none.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    write("tiny.toml", TINY);
    write("world.toml", "kind = \"world\"\nname = \"w\"\nroom = { max_m = [3, 2] }\n");
    write("garbage.trace", "no trace at all, but longer than 16 bytes");
    write("state.json", "{ \"organism\": ");
    std::fs::create_dir(folder.path().join("folder")).expect("a folder");
    folder
}

/// Commands that cannot be done.
const WRONG: [&str; 22] = [
    "run none.toml",
    "run folder",
    "run world.toml",
    "run ONE_LIFE --condition nobody",
    "run ONE_LIFE --cap 0",
    "run ONE_LIFE --cap 0.001 --load-state state.json",
    "run ONE_LIFE --cap 0.001 --quiet --condition random_walk --save-state s.json",
    "run ONE_LIFE --cap 0.001 --quiet --trace none/there",
    "run ONE_LIFE --nonsense",
    "experiment ONE_LIFE",
    "experiment tiny.toml --seeds 9",
    "experiment tiny.toml --conditions full,nobody",
    "experiment tiny.toml --out tiny.toml",
    "replay none.trace",
    "replay garbage.trace",
    "check none.toml world.toml",
    "state inspect state.json",
    "state verify state.json none.json",
    "state transfer state.json --body nobody --out s.json",
    "feed none.csv --out o.csv",
    "feed tiny.toml --out o.csv --rename mic",
    "feed tiny.toml --out o.csv --condition do_nothing",
];

/// Every command of [`WRONG`] with its exit code and what it said first of the matter.
fn refusals() -> String {
    let folder = folder();
    let mut text = String::new();
    let life = one_life();
    for line in WRONG {
        let words: Vec<_> =
            line.split(' ').map(|w| if w == "ONE_LIFE" { &life } else { w }).collect();
        let said = run(folder.path(), &words);
        assert!(matches!(said.code, Some(1 | 2)), "{line}: {:?}", said.code);
        let first = said.out.lines().find(|l| l.contains("refused") || l.contains("toml"));
        let error = said.err.lines().find(|l| l.starts_with("error"));
        let shown = error.or(first).unwrap_or("").trim_end();
        text.push_str(&[line, "\n  ", &said.code.unwrap_or(-1).to_string(), ": "].concat());
        let (before, after) = shown.split_once("/tiny-").unwrap_or((shown, ""));
        text.push_str(before);
        if let Some(after) = after.get(8..) {
            text.push_str("/tiny-HASH");
            text.push_str(after);
        }
        text.push('\n');
    }
    text
}

#[test]
fn edge_wrong_input_is_refused_in_words() {
    expect![[r#"
        run none.toml
          2: error: none.toml: cannot be read: no such file
        run folder
          2: error: folder: is a folder; name a .toml file in it
        run world.toml
          2: error: world.toml: it is a world or a body; give a file with `kind = "scenario"`
        run ONE_LIFE --condition nobody
          2: error: there is no condition `nobody`; there are full, hand_wired, hand_wired_plastic, no_reflexes, no_contingency, contingency_frozen, no_spatial, spatial_cleared, no_battery_link, noise_only, no_exploration, flattened_drives, no_sensory_adaptation, hidden_battery, randomised_battery, gated, random_walk, do_nothing
        run ONE_LIFE --cap 0
          2: error: --cap is above 0 hours
        run ONE_LIFE --cap 0.001 --load-state state.json
          2: error: state.json: life state refused: organism: the document ends too early (byte 14)
        run ONE_LIFE --cap 0.001 --quiet --condition random_walk --save-state s.json
          2: error: the first robot has no organism to save
        run ONE_LIFE --cap 0.001 --quiet --trace none/there
          2: error: none/there: could not write this trace: No such file or directory (os error 2)
        run ONE_LIFE --nonsense
          2: error: unexpected argument '--nonsense' found
        experiment ONE_LIFE
          2: error: ONE_LIFE: it is no experiment; give a file with `kind = "experiment"`, or try `tropism run ONE_LIFE`
        experiment tiny.toml --seeds 9
          2: error: --seeds is 1 to 3, the number of seeds in the file
        experiment tiny.toml --conditions full,nobody
          2: error: --conditions: `nobody` is none of full, random_walk
        experiment tiny.toml --out tiny.toml
          2: error: tiny.toml/tiny-HASH/runs: could not make this folder: Not a directory (os error 20)
        replay none.trace
          2: error: none.trace: could not open this trace: No such file or directory (os error 2)
        replay garbage.trace
          2: error: garbage.trace: it is no trace: it does not start with TROPISMT
        check none.toml world.toml
          1: none.toml: cannot be read: no such file
        state inspect state.json
          2: error: state.json: life state refused: organism: the document ends too early (byte 14)
        state verify state.json none.json
          1: state.json: refused: life state refused: organism: the document ends too early (byte 14)
        state transfer state.json --body nobody --out s.json
          2: error: state.json: life state refused: organism: the document ends too early (byte 14)
        feed none.csv --out o.csv
          2: error: cannot read `none.csv`: No such file or directory (os error 2)
        feed tiny.toml --out o.csv --rename mic
          2: error: invalid value 'mic' for '--rename <COLUMN=CHANNEL>': COLUMN=CHANNEL is expected, such as in_battery=battery_voltage
        feed tiny.toml --out o.csv --condition do_nothing
          2: error: condition `do_nothing` has no organism to feed; take one such as `full`
    "#]].assert_eq(&refusals());
}

#[test]
fn edge_every_shipped_file_is_sound() {
    let mut files = Vec::new();
    for part in ["scenarios/organism", "worlds", "bodies"] {
        for entry in std::fs::read_dir(project().join(part)).expect("a shipped folder") {
            files.push(entry.expect("an entry").path().display().to_string());
        }
    }
    assert!(files.len() >= 18, "{files:?}");
    let words: Vec<&str> = ["check"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let said = run(&project(), &words);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert_eq!(said.out.matches(": a sound ").count(), files.len(), "{}", said.out);
}

#[test]
fn edge_sim_07_every_verb_works_without_a_display_and_prints_plain_help() {
    let folder = folder();
    for verb in ["run", "experiment", "feed", "replay", "check", "state", "list"] {
        let said = run(folder.path(), &[verb, "--help"]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
        assert!(said.out.contains(&["Usage: tropism ", verb].concat()), "{}", said.out);
    }
    assert_eq!(run(folder.path(), &["list"]).code, Some(0));
    let said = run(folder.path(), &["run", &one_life(), "--cap", "0.01", "--report", "r.html"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
}

#[test]
fn determinism_sim_03_sim_05_two_processes_say_the_same_watched_or_not() {
    let folder = folder();
    let life = one_life();
    let short = ["run", life.as_str(), "--cap", "0.02", "--quiet"];
    let plain = run(folder.path(), &short);
    let extras = ["--trace", "t", "--internals", "--report", "r.html", "--save-state", "s.json"];
    let words: Vec<_> = short.iter().chain(&extras).copied().collect();
    let watched = run(folder.path(), &words);
    let table = |text: &str| text[..text.find("life state").unwrap_or(text.len())].to_owned();
    assert_eq!(plain.code, Some(0), "{}", plain.err);
    assert_eq!(table(&watched.out), format!("trace: 1440 ticks\n{}", plain.out));
    let replayed = run(folder.path(), &["replay", "t", "--quiet"]);
    check(&replayed, 0, &expect![["equal: all 1440 ticks came out the same\n"]]);
    let bytes = std::fs::read(folder.path().join("t")).expect("the trace");
    std::fs::write(folder.path().join("t"), &bytes[..bytes.len() / 2]).expect("written");
    let cut = run(folder.path(), &["replay", "t", "--quiet"]);
    assert!(cut.code == Some(0) && cut.out.contains("note: the trace was cut off after tick"));
    let mut flipped = bytes;
    let last = flipped.len() - 17;
    flipped[last] ^= 1;
    std::fs::write(folder.path().join("t"), &flipped).expect("written");
    let flipped = run(folder.path(), &["replay", "t", "--quiet"]);
    assert_eq!(flipped.code, Some(1));
    assert!(flipped.out.starts_with("differs first at tick 1439\n"), "{}", flipped.out);
    // The saved life goes through the other verbs.
    assert_eq!(run(folder.path(), &["state", "verify", "s.json"]).out, "s.json: sound\n");
    let inspected = run(folder.path(), &["state", "inspect", "s.json"]);
    assert!(inspected.code == Some(0) && inspected.out.contains("reference_simulator"));
    let carried =
        run(folder.path(), &["state", "transfer", "s.json", "--body", "tricycle", "--out", "c"]);
    assert!(carried.out.ends_with("life state: c\n"), "{}{}", carried.out, carried.err);
    let words: Vec<_> = short.iter().copied().chain(["--load-state", "s.json"]).collect();
    let loaded = run(folder.path(), &words);
    assert_eq!(loaded.code, Some(0), "{}", loaded.err);
    assert_ne!(loaded.out, plain.out);
}

#[test]
fn edge_feed_says_what_it_read_and_refuses_a_late_start() {
    let folder = folder();
    let rows: String = (0..6).map(|t| ["", &t.to_string(), ",0.2,0.4\n"].concat()).collect();
    let text = ["t_s,loudness,light_left\n", &rows].concat();
    std::fs::write(folder.path().join("in.csv"), text).expect("written");
    let feed = |more: &[&str]| {
        let words = ["feed", "in.csv", "--out", "mind.csv", "--rename", "loudness=mic"];
        run(folder.path(), &words.into_iter().chain(more.iter().copied()).collect::<Vec<_>>())
    };
    let mind = || std::fs::read_to_string(folder.path().join("mind.csv")).unwrap_or_default();
    let all = feed(&["--report", "r.html"]);
    assert!(all.code == Some(0) && all.out.contains("101 ticks"), "{}{}", all.out, all.err);
    assert!(all.out.contains(", 0 outside") && folder.path().join("r.html").exists());
    let first = mind();
    assert_eq!(first.lines().count(), 102);
    assert!(feed(&[]).code == Some(0) && mind() == first);
    assert!(feed(&["--seed", "2"]).code == Some(0) && mind() != first);
    let late = feed(&["--from-t", "2", "--held"]);
    assert!(late.out.contains("61 ticks"), "{}{}", late.out, late.err);
    let none = feed(&["--from-t", "9"]);
    assert_eq!(none.code, Some(2));
    assert!(none.err.contains("holds nothing after its first 9 s"), "{}", none.err);
    assert_eq!(feed(&["--from-t=-1"]).code, Some(2));
}

fn check(said: &Said, code: i32, expected: &Expect) {
    assert_eq!(said.code, Some(code), "{}", said.err);
    expected.assert_eq(&said.out);
}

/// The files an experiment leaves, but for its manifest, which holds the command as typed.
fn results(out: &Path) -> Vec<(String, Vec<u8>)> {
    let folder = std::fs::read_dir(out).expect("results").next().expect("one").expect("one").path();
    ["table.txt", "lives.parquet", "runs.parquet"]
        .map(|name| (name.to_owned(), std::fs::read(folder.join(name)).expect("a result")))
        .into()
}

fn run_files(out: &Path) -> usize {
    let Some(Ok(folder)) = std::fs::read_dir(out).ok().and_then(|mut d| d.next()) else { return 0 };
    let files = std::fs::read_dir(folder.path().join("runs")).into_iter().flatten().flatten();
    files.filter(|f| f.file_name().to_string_lossy().ends_with(".json")).count()
}

#[cfg(unix)]
#[test]
fn determinism_a_killed_or_interrupted_experiment_ends_in_the_same_table() {
    use std::os::unix::process::ExitStatusExt as _;
    let folder = folder();
    let straight = ["experiment", "tiny.toml", "--jobs", "2", "--quiet", "--out", "straight"];
    let said = run(folder.path(), &straight);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let expected = results(&folder.path().join("straight"));
    for (signal, out) in [("-KILL", "killed"), ("-INT", "interrupted")] {
        let words = ["experiment", "tiny.toml", "--jobs", "1", "--out", out];
        let mut child = tropism(folder.path(), &words)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        while run_files(&folder.path().join(out)) == 0 {
            assert_eq!(child.try_wait().expect("a child"), None, "it ended too early");
            std::thread::sleep(core::time::Duration::from_millis(2));
        }
        let pid = child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().expect("kill").success());
        let output = child.wait_with_output().expect("an end");
        let err = String::from_utf8_lossy(&output.stderr);
        if signal == "-KILL" {
            assert_eq!(output.status.signal(), Some(9));
        } else {
            assert_eq!(output.status.code(), Some(130), "{err}");
            assert!(err.contains("to go on, type the same command again: tropism exp"), "{err}");
        }
        let kept = run_files(&folder.path().join(out));
        assert!((1..6).contains(&kept), "{kept} of 6 runs were finished");
        let said = run(folder.path(), &words);
        let message = ["", &kept.to_string(), " of 6 runs are already finished"].concat();
        assert!(said.code == Some(0) && said.err.contains(&message), "{}", said.err);
        assert!(results(&folder.path().join(out)) == expected, "{out}: other results");
    }
}

/// Most memory a run of the command held, kiB. The kernel keeps the peak; it is read until the
/// process is gone, so at most the last two milliseconds are missed.
#[cfg(target_os = "linux")]
fn peak_kib(folder: &Path, arguments: &[&str]) -> u64 {
    let mut child = tropism(folder, arguments).stdout(Stdio::null()).spawn().expect("it runs");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("a child").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        let kib = line.and_then(|l| l.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(kib.unwrap_or(0));
        std::thread::sleep(core::time::Duration::from_millis(2));
    }
    peak
}

#[cfg(target_os = "linux")]
#[test]
fn noalloc_memory_of_an_experiment_hardly_grows_with_its_lives() {
    let folder = folder();
    let peak = |lives: &str| {
        let words = ["experiment", "tiny.toml", "--seeds", "2", "--cap", "0.005", "--jobs", "1"];
        let words: Vec<_> = words.into_iter().chain(["--quiet", "--lives", lives]).collect();
        peak_kib(folder.path(), &words)
    };
    let (few, many) = (peak("10"), peak("100"));
    // 360 more lives of about 3 kB each, in records, tables and the report.
    assert!(few > 0 && many < few + 8 * 1024, "{few} kiB for 10 lives, {many} for 100");
}
