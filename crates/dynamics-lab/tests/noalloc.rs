//! A tick allocates nothing.

use tropism_dynamics::Phase;
use tropism_dynamics_lab::load::Load;
use tropism_testkit::alloc::{CountingAllocator, allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn noalloc_a_tick_of_the_load_network() {
    let mut network = Load::STATED.compiled(Phase::Ruler).network::<f32>();
    let before = allocations();
    for tick in 0..256 {
        network.tick(&[(tick % 5) as f32 / 5.0], &[1.0, 0.5]);
    }
    assert_eq!(allocations(), before);
}
