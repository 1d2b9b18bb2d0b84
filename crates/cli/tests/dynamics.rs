//! `tropism dynamics` as it is typed.

use std::process::Command;

/// Exit code and standard output of the command in the root of the checkout.
fn typed(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tropism"))
        .arg("dynamics")
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("the command runs");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned() + &errors)
}

#[test]
fn edge_dynamics_check_answers_with_code_and_place() {
    let (code, text) = typed(&["check", "scenarios/dynamics/taxis.toml"]);
    assert!(code == Some(0) && text.contains("sound; 1 layers"), "{text}");
    let unstable = ["check", "scenarios/dynamics/course.toml", "--integrator", "paper"];
    let (code, text) = typed(&unstable);
    assert!(code == Some(1) && text.contains("L0.w: W*dt can reach 2.960"), "{text}");
    assert!(text.contains("scenarios/dynamics/course.toml:117:1: error"), "{text}");
    let (code, text) = typed(&[&unstable[..], &["--allow-unstable"]].concat());
    assert!(code == Some(0) && text.contains("warning"), "{text}");
    let (code, _) = typed(&[&unstable[..], &["--allow-unstable", "--strict"]].concat());
    assert_eq!(code, Some(1));
}

#[test]
fn edge_dynamics_run_and_compare_print_what_happened() {
    let spec = "scenarios/dynamics/figure2.toml";
    let (code, text) = typed(&["run", spec, "--seconds", "6", "--why", "L0.rest@290"]);
    assert!(code == Some(0) && text.contains("ends at x -1.19"), "{text}");
    assert!(text.contains("L0.rest at tick 290: 1.0000 -> 1.0000"), "{text}");
    let (code, text) = typed(&["compare", spec, "--seconds", "4"]);
    assert!(code == Some(0) && text.lines().count() == 3, "{text}");
    let (code, text) = typed(&["run", spec, "--scene", "mars"]);
    assert!(code == Some(2) && text.contains("`mars` is no scene"), "{text}");
}
