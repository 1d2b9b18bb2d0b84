//! One specification on several targets: native Rust, both precisions, and an emulated riscv32imc.
#![expect(clippy::unwrap_used, reason = "a helper of tests may stop the test")]

use std::process::Command;
use tropism_core::{Purpose, Seed, StateHash, Tick, TimeStep};
use tropism_dynamics::Real;
use tropism_dynamics_spec::spec::{Actuator, Behaviour, Layer, Reading};
use tropism_dynamics_spec::{Compiled, Options, Spec, compile, compile_text};

const COURSE: &str = include_str!("../../../scenarios/dynamics/course.toml");
/// Hash of 10,000 ticks of the course network in single precision, on every target.
const LIFE: &str = "8ae2b6c734a541c5";
/// An emulated machine without floating point that ends with the image.
const EMULATOR: &str = "qemu-system-riscv32 -M virt -cpu rv32,f=false,d=false,a=false -smp 1 \
                        -m 128M -nographic -bios none \
                        -semihosting-config enable=on,target=native -icount shift=0 -kernel";

fn course() -> Compiled {
    compile_text("course.toml", COURSE, Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// The inputs of the riscv32imc image.
fn inputs(tick: u32) -> [f32; 15] {
    core::array::from_fn(|n| match n {
        3 => 1.0,
        0..=2 => ((tick * 7 + n as u32 * 13) % 41) as f32 / 20.0 - 1.0,
        _ if (tick + n as u32).is_multiple_of(17) => f32::NAN,
        _ => ((tick * 3 + n as u32 * 5) % 29) as f32 / 29.0,
    })
}

#[test]
fn determinism_ten_thousand_ticks_hash_the_same_on_the_host() {
    let mut network = course().network::<f32>();
    let mut life = StateHash::new();
    for tick in 0..10_000 {
        network.tick(&inputs(tick), &[1.0]);
        life.word(network.hash());
    }
    assert_eq!(format!("{:016x}", life.value()), LIFE);
}

/// The image holds what the specification compiles to; `cargo run -p tropism-dynamics-lab
/// --example blob scenarios/dynamics/course.toml firmware/dynamics/network.blob` renews it.
#[test]
fn golden_the_image_s_blob_is_that_of_the_specification() {
    let blob = include_bytes!("../../../firmware/dynamics/network.blob");
    assert_eq!(course().blob(), blob);
}

/// Builds the image and runs it under QEMU; skipped without emulator or target.
#[test]
fn determinism_the_hash_is_equal_on_an_emulated_riscv32imc() {
    let has_emulator = Command::new("qemu-system-riscv32").arg("--version").output().is_ok();
    let mut target = Command::new("rustc");
    target.args(["--print", "target-libdir", "--target", "riscv32imc-unknown-none-elf"]);
    let has_target = target
        .output()
        .is_ok_and(|o| std::path::Path::new(String::from_utf8_lossy(&o.stdout).trim()).is_dir());
    if !has_emulator || !has_target {
        eprintln!("skipped: qemu-system-riscv32 or the riscv32imc target is missing");
        return;
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../firmware");
    let image = "tropism-dynamics-image";
    let output = Command::new("cargo")
        .args(["run", "--release", "--quiet", "--package", image])
        .args(["--target", "riscv32imc-unknown-none-elf", "--target-dir", "target"])
        .env("CARGO_TARGET_RISCV32IMC_UNKNOWN_NONE_ELF_RUNNER", EMULATOR)
        .current_dir(folder)
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains(LIFE), "{text}\n{errors}");
    let bytes = text.split_whitespace().last().and_then(|b| b.parse::<u32>().ok());
    eprintln!("{}", text.trim());
    assert!(bytes.is_some_and(|b| b <= 32 * 1024), "{text}");
    // The linker keeps what can be reached: without a panic in the image there is none to reach.
    let image = format!("{folder}/target/riscv32imc-unknown-none-elf/release/{image}");
    let bytes = std::fs::read(image).unwrap();
    assert!(!bytes.windows(5).any(|w| w == b"panic"), "the image holds a panic");
}

/// One expression of every kind against the same formula in Rust, over 10,000 random inputs: equal
/// bits in both precisions, because both round after every operation and share the functions.
#[test]
fn prop_bytecode_equals_native_code_bit_by_bit() {
    let expressions = [
        "0.8*min(1, x/0.45)*max(0, cos(y))^2",
        "hypot(x, y) - sqrt(abs(x)) + exp(-abs(y))*atan2(y, x)/3",
        "clip(x*y + 1, -0.5, 2) + sstep(x, -1, 1)*wrap(5*y) - sat(y)",
        "if(x < y && !(x < -1), x^3, sin(y) - sigmoid(x)) + sign(x)",
    ];
    let go = Behaviour { initial: "1".into(), ..Behaviour::named("go", "1") };
    let mut go = go.user("m", "(1 - alpha.go)/0.1s");
    let mut layer = Layer::named("L0")
        .reading(Reading::named("x", "1").within("-9", "9"))
        .reading(Reading::named("y", "1").within("-9", "9"));
    for (n, expression) in expressions.iter().enumerate() {
        layer = layer.actuator(Actuator::named(&format!("a{n}"), "1").holding());
        layer = layer.percept(&format!("p{n}"), expression);
        go = go.target(&format!("a{n}"), &format!("1*p{n}"), "1");
    }
    let spec = Spec::new("native", TimeStep::TWENTIETH).mode("m").layer(layer.behaviour(go));
    let compiled = compile(&spec, "native", "", Options::default()).unwrap();
    equal::<f32>(&compiled);
    equal::<f64>(&compiled);
}

fn equal<R: Real>(compiled: &Compiled) {
    let mut network = compiled.network::<R>();
    let slots: Vec<u16> = (0..4).map(|n| compiled.slot(&format!("L0.p{n}")).unwrap()).collect();
    let stream = Seed(3).stream(Purpose::named("dynamics.native"), 0, 0);
    for tick in 0..10_000 {
        let mut draws = stream.at(Tick(tick));
        let [x, y] = [(); 2].map(|()| R::of(f64::from(draws.between(-3.0, 3.0))));
        network.tick(&[x, y], &[R::ONE]);
        let c = R::of;
        let native = [
            c(0.8) * (x / c(0.45)).least(c(1.0)) * y.cos().most(c(0.0)).power(2),
            x.hypot(y) - x.abs().sqrt() + (-y.abs()).exp() * y.atan2(x) / c(3.0),
            (x * y + c(1.0)).clip(c(-0.5), c(2.0))
                + x.smooth_step(c(-1.0), c(1.0)) * (c(5.0) * y).wrap()
                - y.unit(),
            if x < y && (x >= c(-1.0)) { x.power(3) } else { y.sin() - x.sigmoid() } + x.sign(),
        ];
        for (slot, native) in slots.iter().zip(native) {
            let value = network.value(*slot);
            assert_eq!(value.widen().to_bits(), native.widen().to_bits(), "{slot} {x:?} {y:?}");
        }
    }
}
