//! Editing a running world: refusals change nothing, and what is kept goes on to the bit.

use proptest::prelude::*;
use tropism_core::Seed;
use tropism_world::edit::{EditError, Kept};
use tropism_world::{
    Action, ConvexPolygon, Disc, Material, RobotSpec, Start, StationSpec, Vec2, World, WorldSpec,
    plans,
};

fn spec() -> WorldSpec {
    let mut spec = WorldSpec::empty("edited", 4.0, 3.0);
    let plan = plans::reference_simulator();
    for (i, name) in ["first", "second"].into_iter().enumerate() {
        let at = Vec2::new(1.0 + i as f32, 1.0);
        spec.robots.push(RobotSpec {
            name: tropism_core::Name::literal(name),
            plan: plan.clone(),
            start: Start::Pose { at, heading_rad: 0.3, soc: 0.8 },
        });
    }
    let contacts = [Vec2::new(3.9, 1.0), Vec2::new(3.9, 2.0)];
    spec.stations = contacts.map(|c| StationSpec::mains(c, core::f32::consts::PI)).to_vec();
    spec
}

fn disc(x: f32, y: f32) -> Disc {
    Disc { center: Vec2::new(x, y), radius_m: 0.1, material: Material::HARD }
}

fn run(world: &mut World, ticks: u32) {
    for t in 0..ticks {
        let speed = if t % 40 < 30 { 0.6 } else { -0.3 };
        for robot in 0..world.robots() {
            world.set_actuators(robot, &[speed, 0.4 * speed]);
        }
        world.advance();
    }
}

#[test]
fn unit_an_edit_that_changes_nothing_changes_nothing() {
    let spec = spec();
    let mut edited = World::new(&spec, Seed(3)).unwrap();
    run(&mut edited, 100);
    let mut plain = edited.clone();
    edited.edit(&spec, &Kept::all(&spec)).unwrap();
    assert_eq!(edited.hash(), plain.hash());
    run(&mut edited, 200);
    run(&mut plain, 200);
    assert_eq!(edited.hash(), plain.hash());
}

#[test]
fn unit_a_new_disc_is_seen_and_touched() {
    let mut spec = spec();
    spec.robots.truncate(1);
    let mut world = World::new(&spec, Seed(3)).unwrap();
    let free = world.hash();
    spec.room.discs.push(disc(1.4, 1.1));
    world.edit(&spec, &Kept::all(&spec)).unwrap();
    assert_ne!(world.hash(), free, "another world has another identity");
    let mut was_bumped = false;
    for _ in 0..100 {
        world.set_actuators(0, &[1.0, 1.0]);
        world.advance();
        was_bumped |= world.truth(0).is_bumped;
    }
    assert!(was_bumped, "{:?}", world.truth(0));
}

#[test]
fn unit_refused_edits_name_their_reason_and_change_nothing() {
    let good = spec();
    let mut world = World::new(&good, Seed(3)).unwrap();
    run(&mut world, 50);
    let before = world.hash();
    let truth = world.truth(0);
    let refusal = |world: &mut World, change: fn(&mut WorldSpec, Vec2)| {
        let mut spec = good.clone();
        change(&mut spec, Vec2::new(truth.x_m, truth.y_m));
        let kept = Kept::all(&spec);
        world.edit(&spec, &kept).unwrap_err().to_string()
    };
    let buried = refusal(&mut world, |s, at| s.room.discs.push(disc(at.x, at.y)));
    assert!(buried.contains("`first`"), "{buried}");
    let hollow = refusal(&mut world, |s, _| {
        let mut shape = ConvexPolygon::rectangle(Vec2::new(3.0, 2.5), Vec2::new(0.2, 0.1), 0.0);
        shape.corners.reverse();
        s.room.polygons.push(shape);
    });
    assert_eq!(hollow, "polygon 0 of the room has no proper shape");
    let start = refusal(&mut world, |s, _| s.room.discs.push(disc(2.0, 1.0)));
    assert!(start.contains("second"), "{start}");
    let other = refusal(&mut world, |s, _| drop(s.robots.pop()));
    assert!(other.contains("keeps robots"), "{other}");
    let small = refusal(&mut world, |s, _| s.room.max = Vec2::new(1.2, 1.2));
    assert!(!small.is_empty());
    let mut kept = Kept::all(&good);
    kept.stations.pop();
    assert_eq!(world.edit(&good, &kept), Err(EditError::Kept));
    assert_eq!(world.hash(), before);
}

#[test]
fn unit_a_station_taken_away_leaves_the_others_as_they_were() {
    let mut spec = spec();
    let mut world = World::new(&spec, Seed(5)).unwrap();
    world.act(Action::Station { station: 1, is_on: false }).unwrap();
    let to = Vec2::new(2.0, 2.9);
    world.act(Action::MoveStation { station: 1, to, facing_rad: -1.5 }).unwrap();
    spec.stations.remove(0);
    let kept = Kept { stations: vec![Some(1)], ..Kept::all(&spec) };
    world.edit(&spec, &kept).unwrap();
    assert_eq!(world.station_place(0), Some((to, false)));
    assert!((world.station_facing(0).unwrap() + 1.5).abs() < 1e-6);
    spec.stations[0].contact = Vec2::new(3.9, 1.5);
    world.edit(&spec, &Kept::all(&spec)).unwrap();
    assert_eq!(world.station_place(0), Some((Vec2::new(3.9, 1.5), false)));
    assert!(world.act(Action::Station { station: 1, is_on: true }).is_err());
}

#[test]
fn unit_robots_are_put_only_where_they_fit() {
    let mut spec = spec();
    spec.room.discs.push(disc(3.0, 2.0));
    let mut world = World::new(&spec, Seed(3)).unwrap();
    run(&mut world, 20);
    let before = world.hash();
    for at in [Vec2::new(3.0, 2.0), Vec2::new(-1.0, 0.5), Vec2::new(f32::NAN, 0.5)] {
        assert!(world.place_robot(0, at, 0.0).is_err());
    }
    let second = world.truth(1);
    assert!(world.place_robot(0, Vec2::new(second.x_m, second.y_m), 0.0).is_err());
    assert!(world.place_robot(7, Vec2::new(1.0, 1.0), 0.0).is_err());
    assert_eq!(world.hash(), before);
    world.place_robot(0, Vec2::new(0.5, 2.5), 1.0).unwrap();
    let truth = world.truth(0);
    assert_eq!((truth.x_m, truth.y_m, truth.heading_rad), (0.5, 2.5, 1.0));
}

#[test]
fn unit_beginning_again_takes_the_room_back_and_goes_on_in_time() {
    let spec = spec();
    let mut world = World::new(&spec, Seed(3)).unwrap();
    run(&mut world, 300);
    world.act(Action::Station { station: 0, is_on: false }).unwrap();
    world.begin_again(&spec).unwrap();
    assert_eq!(world.tick().0, 300);
    let fresh = World::new(&spec, Seed(3)).unwrap();
    assert_eq!(world.truth(0), fresh.truth(0));
    assert_eq!(world.station_place(0), fresh.station_place(0));
}

proptest! {
    #[test]
    fn prop_edits_never_panic_and_refusals_change_nothing(
        discs in proptest::collection::vec((-1.0f32..5.0, -1.0f32..4.0, -0.1f32..0.8), 0..4),
        corners in proptest::collection::vec((0.0f32..4.0, 0.0f32..3.0), 0..6),
        stations in 0usize..3,
        ticks in 0u32..40,
    ) {
        let mut spec = spec();
        let mut world = World::new(&spec, Seed(9)).unwrap();
        run(&mut world, ticks);
        let before = world.hash();
        for (x, y, radius_m) in discs {
            spec.room.discs.push(Disc { radius_m, ..disc(x, y) });
        }
        let corners: Vec<Vec2> = corners.into_iter().map(|(x, y)| Vec2::new(x, y)).collect();
        if !corners.is_empty() {
            spec.room.polygons.push(ConvexPolygon { corners, material: Material::SOFT });
        }
        spec.stations.truncate(stations);
        let refused = world.edit(&spec, &Kept::all(&spec)).is_err();
        if refused {
            prop_assert_eq!(world.hash(), before);
        }
        run(&mut world, 20);
        for robot in 0..world.robots() {
            prop_assert!(world.truth(robot).x_m.is_finite());
        }
    }
}
