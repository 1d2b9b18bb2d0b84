//! The same network from its text and from its bytes.
#![expect(clippy::unwrap_used, reason = "a helper of tests may stop the test")]

use tropism_dynamics::{Borrowed, Instruction, Network};
use tropism_dynamics_spec::{Compiled, Options, compile_text};
use tropism_wire::{NetworkBuffers, NetworkError, read_network};

const SPEC: &str = include_str!("../../../scenarios/dynamics/course.toml");

fn compiled() -> Compiled {
    compile_text("course.toml", SPEC, Options::default()).unwrap()
}

fn inputs(tick: u32) -> [f32; 15] {
    core::array::from_fn(|n| match n {
        3 => 1.0,
        0..=2 => ((tick * 7 + n as u32 * 13) % 41) as f32 / 20.0 - 1.0,
        _ if (tick + n as u32).is_multiple_of(17) => f32::NAN,
        _ => ((tick * 3 + n as u32 * 5) % 29) as f32 / 29.0,
    })
}

#[test]
fn determinism_a_network_from_bytes_runs_like_the_one_from_text() {
    let compiled = compiled();
    let bytes = compiled.blob();
    let (mut records, mut code) = ([0; 2048], [Instruction::END; 4096]);
    let (mut image, mut values, mut marks) = ([0.0_f32; 1024], [0.0; 1024], [0; 256]);
    let buffers = NetworkBuffers { records: &mut records, code: &mut code, image: &mut image };
    let table = read_network::<f32>(&bytes, buffers).unwrap();
    let storage = Borrowed::new(table, &mut values, &mut marks).unwrap();
    let mut small = Network::new(*table.header(), storage).unwrap();
    let mut large = compiled.network::<f32>();
    for tick in 0..2000 {
        small.tick(&inputs(tick), &[1.0]);
        large.tick(&inputs(tick), &[1.0]);
        assert_eq!(small.hash(), large.hash(), "{tick}");
    }
    eprintln!("{} bytes for {} instructions", bytes.len(), compiled.code.len());
}

#[test]
fn prop_damaged_bytes_are_refused_and_never_panic() {
    let bytes = compiled().blob();
    let read = |bytes: &[u8]| {
        let (mut records, mut code) = ([0; 2048], [Instruction::END; 4096]);
        let mut image = [0.0_f64; 1024];
        let buffers = NetworkBuffers { records: &mut records, code: &mut code, image: &mut image };
        read_network::<f64>(bytes, buffers).map(|_| ())
    };
    assert_eq!(read(&bytes), Ok(()));
    for cut in 0..bytes.len().min(400) {
        assert!(read(&bytes[..cut]).is_err());
    }
    let mut more = bytes.clone();
    more.push(0);
    assert_eq!(read(&more), Err(NetworkError::Length));
    for at in (0..bytes.len()).step_by(5) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        assert!(read(&damaged).is_err(), "byte {at}");
    }
}

#[test]
fn edge_small_buffers_say_what_they_need() {
    let bytes = compiled().blob();
    let (mut records, mut code, mut image) = ([0; 4], [Instruction::END; 4], [0.0_f32; 4]);
    let buffers = NetworkBuffers { records: &mut records, code: &mut code, image: &mut image };
    let error = read_network::<f32>(&bytes, buffers).unwrap_err();
    assert!(matches!(error, NetworkError::Buffer { part: "records", .. }), "{error}");
}
