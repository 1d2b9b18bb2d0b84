//! One control step: events, motion, contact, power, stations.

use tropism_core::math;

use crate::battery::{PowerModel, charged};
use crate::cast::Scene;
use crate::contact::{DEPTH_M, ROUNDS, Touch, direction};
use crate::drive::{Integration, arc};
use crate::event::{Action, OccurrenceKind};
use crate::geometry::Vec2;
use crate::robot::Robot;
use crate::state::{BUMPED, CHARGING, DOCKED, EMBEDDED, RobotState};
use crate::station::{Station, StationDynamics, StationState};
use crate::world::World;

/// Charging current above which a robot counts as charging, A.
const CHARGING_FROM_A: f32 = 0.01;

impl World {
    /// Advances the world by one control step with these actuator values, robot by robot.
    pub fn step(&mut self, actuators: &[&[f32]]) {
        for (robot, values) in actuators.iter().enumerate() {
            self.set_actuators(robot, values);
        }
        self.advance();
    }

    /// Advances the world by one control step with the actuator values set before.
    ///
    /// Order: timed events of this tick; for every physics step all robots move, then contacts are
    /// resolved; then batteries, then stations.
    pub fn advance(&mut self) {
        self.occurrences.clear();
        if self.state.tick.0 >= self.next_event {
            self.carry_out_events();
        }
        let flags = if self.robots.len() == 1 && !self.has_obstacles {
            self.step_alone()
        } else {
            self.move_all();
            let mut flags = 0;
            for robot in 0..self.robots.len() {
                flags |= self.power(robot);
            }
            flags
        };
        self.state.tick = self.state.tick.next();
        if flags & DOCKED != 0 || self.state.stations.iter().any(|s| s.state != StationState::Idle)
        {
            self.advance_stations();
        }
    }

    /// The step of the only robot in a room without obstacles; gives its flags.
    #[inline]
    fn step_alone(&mut self) -> u8 {
        let place = Place {
            stations: &self.stations,
            now: &self.state.stations,
            physics: (self.physics_s, self.physics_hz),
            model: self.power,
        };
        let (Some(state), Some(plan)) = (self.state.robots.first_mut(), self.robots.first()) else {
            return 0;
        };
        let mut touch = Touch::default();
        roll(state, plan, &place, &mut touch);
        self.scene.hold_inside(&mut state.at, plan.radius_m, state.forward, &mut touch);
        if self.physics_steps > 1 {
            self.scene.roll_on(state, plan, &place, &mut touch, self.physics_steps - 1);
        }
        let was_bumped = state.is(BUMPED);
        state.set(BUMPED, touch.is_bumped);
        state.contacts = touch.sectors;
        (state.station_m, state.station) = nearest(state.at, place.now);
        let change = power(state, plan, &place);
        if touch.is_bumped && !was_bumped {
            self.note(OccurrenceKind::Bumped, Some(0), None);
        }
        if change.is_notable() {
            self.note_power(0, change);
        }
        change.now
    }

    fn move_all(&mut self) {
        for robot in 0..self.robots.len() {
            self.touches[robot] = (Touch::default(), false);
        }
        for _ in 0..self.physics_steps {
            for robot in 0..self.robots.len() {
                let mut touch = self.touches[robot].0;
                let place = Place {
                    stations: &self.stations,
                    now: &self.state.stations,
                    physics: (self.physics_s, self.physics_hz),
                    model: self.power,
                };
                let state = &mut self.state.robots[robot];
                roll(state, &self.robots[robot], &place, &mut touch);
                self.touches[robot].0 = touch;
            }
            self.resolve_contacts();
        }
        for robot in 0..self.robots.len() {
            let (touch, is_embedded) = self.touches[robot];
            self.finish_motion(robot, touch, is_embedded);
        }
        self.fill_bins();
    }

    /// Bounded contact work for all robots.
    fn resolve_contacts(&mut self) {
        let count = self.robots.len();
        self.fill_bins();
        for _ in 0..ROUNDS {
            let mut is_quiet = true;
            for robot in 0..count {
                is_quiet &= !self.leave_obstacles(robot);
                is_quiet &= !self.leave_robots(robot);
            }
            if is_quiet {
                return;
            }
        }
        for robot in 0..count {
            // Whoever was pushed last may have been pushed across the border.
            let (state, r) = (&mut self.state.robots[robot], self.robots[robot].radius_m);
            let touch = &mut self.touches[robot].0;
            self.scene.hold_inside(&mut state.at, r, state.forward, touch);
            let at = state.at;
            let depth = self.scene.way_out(at, r).map_or(0.0, Vec2::length);
            self.touches[robot].1 = depth > DEPTH_M;
        }
    }

    /// Moves a robot out of the room's obstacles once; true if it had to move.
    fn leave_obstacles(&mut self, robot: usize) -> bool {
        let (state, plan) = (&mut self.state.robots[robot], &self.robots[robot]);
        let touch = &mut self.touches[robot].0;
        let mut at = state.at;
        if self.has_obstacles
            && let Some(way) = self.scene.way_out(at, plan.radius_m)
        {
            at = at + way;
            touch.add(direction_of(way * -1.0), state.forward);
        }
        self.scene.hold_inside(&mut at, plan.radius_m, state.forward, touch);
        let has_moved = at != state.at;
        state.at = at;
        has_moved
    }

    /// Moves a robot and those it overlaps apart, half each.
    fn leave_robots(&mut self, robot: usize) -> bool {
        let mut has_moved = false;
        if self.bins.are_fresh {
            // The bins are borrowed for the visit; nothing in it touches them.
            let bins = core::mem::take(&mut self.bins);
            let at = self.state.robots[robot].at;
            bins.visit(at, BIN_MARGIN * 2.0 * self.radius_max_m, |other| {
                if other as usize > robot {
                    has_moved |= self.part(robot, other as usize);
                }
            });
            self.bins = bins;
        } else {
            for other in robot + 1..self.robots.len() {
                has_moved |= self.part(robot, other);
            }
        }
        has_moved
    }

    /// Moves two robots apart if they overlap.
    #[inline]
    fn part(&mut self, a: usize, b: usize) -> bool {
        let gap = self.robots[a].radius_m + self.robots[b].radius_m;
        let apart = self.state.robots[b].at - self.state.robots[a].at;
        let d2 = apart.length_squared();
        if d2 >= gap * gap {
            return false;
        }
        let distance = math::sqrt(d2);
        let toward = direction(apart, distance);
        let half = toward * (0.5 * (gap - distance));
        self.state.robots[a].at = self.state.robots[a].at - half;
        self.state.robots[b].at = self.state.robots[b].at + half;
        self.touches[a].0.add(toward, self.state.robots[a].forward);
        self.touches[b].0.add(toward * -1.0, self.state.robots[b].forward);
        true
    }

    #[inline]
    fn finish_motion(&mut self, robot: usize, touch: Touch, is_embedded: bool) {
        let state = &mut self.state.robots[robot];
        let (was_bumped, was_embedded) = (state.is(BUMPED), state.is(EMBEDDED));
        state.set(BUMPED, touch.is_bumped);
        state.set(EMBEDDED, is_embedded);
        state.contacts = touch.sectors;
        if touch.is_bumped && !was_bumped {
            self.note(OccurrenceKind::Bumped, Some(robot), None);
        }
        if is_embedded && !was_embedded {
            self.note(OccurrenceKind::Embedded, Some(robot), None);
        }
    }

    /// Finds the nearest station.
    pub(crate) fn find_station(&mut self, robot: usize) {
        let state = &mut self.state.robots[robot];
        (state.station_m, state.station) = nearest(state.at, &self.state.stations);
    }

    /// Draws loads and charges the battery of one robot; gives its flags.
    fn power(&mut self, robot: usize) -> u8 {
        self.find_station(robot);
        let place = Place {
            stations: &self.stations,
            now: &self.state.stations,
            physics: (self.physics_s, self.physics_hz),
            model: self.power,
        };
        let change = power(&mut self.state.robots[robot], &self.robots[robot], &place);
        if change.is_notable() {
            self.note_power(robot, change);
        }
        change.now
    }

    #[cold]
    fn note_power(&mut self, robot: usize, change: PowerChange) {
        use OccurrenceKind as K;
        let station = self.state.robots[robot].station;
        let index = Some(station).filter(|s| *s != u8::MAX);
        for (flag, on, off) in
            [(DOCKED, K::Docked, K::Undocked), (CHARGING, K::ChargingStarted, K::ChargingStopped)]
        {
            if (change.was ^ change.now) & flag != 0 {
                self.note(if change.now & flag != 0 { on } else { off }, Some(robot), index);
            }
        }
        if change.is_newly_empty {
            self.note(K::BatteryEmpty, Some(robot), None);
        }
    }

    /// Runs the state machines of all stations.
    #[inline]
    fn advance_stations(&mut self) {
        let can_be_full = self.power == PowerModel::Fed;
        for index in 0..self.stations.len() {
            let docked = self
                .state
                .robots
                .iter()
                .find(|r| r.is(DOCKED) && usize::from(r.station) == index)
                .map(|r| (r.soc, r.charge_a, r.net_a));
            let now = &mut self.state.stations[index];
            let next = self.stations[index].next_state(now.state, docked, can_be_full);
            if next != now.state {
                now.state = next;
                now.since = self.state.tick;
                self.note(OccurrenceKind::StationChanged, None, Some(index as u8));
            }
        }
    }

    /// Finds the next tick at which a timed event is due.
    pub(crate) fn find_next_event(&mut self) {
        let tick = self.state.tick.0;
        self.next_event = self.schedule.iter().map(|e| e.next_at(tick)).min().unwrap_or(u64::MAX);
    }

    #[cold]
    fn carry_out_events(&mut self) {
        let tick = self.state.tick.0;
        for i in 0..self.schedule.len() {
            let event = self.schedule[i];
            if event.next_at(tick) == tick {
                self.carry_out(event.action);
            }
        }
        let after = self.schedule.iter().map(|e| e.next_at(tick + 1)).min();
        self.next_event = after.unwrap_or(u64::MAX);
    }

    pub(crate) fn carry_out(&mut self, action: Action) {
        use OccurrenceKind as K;
        match action {
            Action::Shove { robot, by, turn_rad } => self.for_robots(robot, |world, i| {
                world.shove(i, by, turn_rad);
                world.note(K::Shoved, Some(i), None);
            }),
            Action::Battery { robot, by } => self.for_robots(robot, |world, i| {
                let (state, plan) = (&mut world.state.robots[i], &world.robots[i]);
                state.soc = math::unit(state.soc + by);
                state.battery_v = plan.terminal_v(state);
                world.note(K::BatteryStepped, Some(i), None);
            }),
            Action::Light { light, is_on } => {
                let bits = light.map_or(u32::MAX, |i| 1 << (i & 31));
                let on = &mut self.state.lights_on;
                *on = if is_on { *on | bits } else { *on & !bits };
                self.note(if is_on { K::LightsOn } else { K::LightsOff }, None, light);
            }
            Action::Field { field, is_on } => {
                let bit = 1 << (field & 31);
                let on = &mut self.state.fields_on;
                *on = if is_on { *on | bit } else { *on & !bit };
                self.note(K::FieldSwitched, None, Some(field));
            }
            Action::Station { station, is_on } => {
                self.state.stations[usize::from(station)].is_on = is_on;
                self.note(if is_on { K::StationOn } else { K::StationOff }, None, Some(station));
            }
            Action::MoveStation { station, to, facing_rad } => {
                let now = &mut self.state.stations[usize::from(station)];
                now.contact = to;
                now.facing = Vec2::at_angle(facing_rad);
                self.note(K::StationMoved, None, Some(station));
            }
        }
    }

    fn for_robots(&mut self, robot: Option<u16>, mut act: impl FnMut(&mut Self, usize)) {
        match robot {
            Some(i) => act(self, usize::from(i)),
            None => (0..self.robots.len()).for_each(|i| act(self, i)),
        }
    }

    /// Moves a robot in steps of half its radius, each followed by contact, so that no shove
    /// carries it through a wall.
    fn shove(&mut self, robot: usize, by: Vec2, turn_rad: f32) {
        let radius = self.robots[robot].radius_m;
        let count = math::floor(by.length() / (0.5 * radius)) + 1.0;
        let part = by * (1.0 / count);
        for _ in 0..(count as u32).min(SHOVE_STEPS) {
            let state = &mut self.state.robots[robot];
            state.at = state.at + part;
            for _ in 0..ROUNDS {
                if !self.leave_obstacles(robot) {
                    break;
                }
            }
        }
        let state = &mut self.state.robots[robot];
        state.heading_rad = math::wrap_angle(state.heading_rad + turn_rad);
        let (sin, cos) = math::sin_cos(state.heading_rad);
        state.forward = Vec2::new(cos, sin);
    }
}

/// What a robot's step needs of the world around it.
struct Place<'a> {
    stations: &'a [Station],
    now: &'a [StationDynamics],
    /// Physics step, s, and its inverse.
    physics: (f32, f32),
    model: PowerModel,
}

/// Flags before and after power was drawn.
#[derive(Clone, Copy)]
struct PowerChange {
    was: u8,
    now: u8,
    is_newly_empty: bool,
}

impl PowerChange {
    #[inline]
    fn is_notable(self) -> bool {
        self.was != self.now || self.is_newly_empty
    }
}

impl Scene {
    /// The physics steps of a lone robot after the first. Apart, since most worlds have none and
    /// their only step is faster out of a loop.
    #[inline(never)]
    fn roll_on(
        &self,
        state: &mut RobotState,
        plan: &Robot,
        place: &Place<'_>,
        touch: &mut Touch,
        steps: u32,
    ) {
        for _ in 0..steps {
            roll(state, plan, place, touch);
            self.hold_inside(&mut state.at, plan.radius_m, state.forward, touch);
        }
    }
}

/// One physics step of one robot without contacts but the funnels of stations.
#[expect(clippy::inline_always, reason = "a third of the step of a lone robot was its calls")]
#[inline(always)]
fn roll(state: &mut RobotState, plan: &Robot, place: &Place<'_>, touch: &mut Touch) {
    let (dt_s, per_s) = place.physics;
    let has_power = state.soc > 0.0;
    let motion = plan.drive.motion(&mut state.drive, &state.commands, has_power);
    // The way in the body frame: ahead along the new heading, or an arc from the old one.
    let is_arc = plan.drive.integration == Integration::Arc;
    let (way, turn) = if is_arc {
        arc(motion.speed_m_s, motion.turn_rad_s, dt_s)
    } else {
        (Vec2::new(motion.speed_m_s * dt_s, 0.0), motion.turn_rad_s * dt_s)
    };
    let before = state.forward;
    state.heading_rad = math::wrap_angle(state.heading_rad + turn);
    let (sin, cos) = math::sin_cos(state.heading_rad);
    state.forward = Vec2::new(cos, sin);
    state.at = state.at + if is_arc { way.turned(before) } else { state.forward * way.x };
    if plan.has_accelerometer {
        let gained = motion.speed_m_s - state.speed_m_s;
        state.accel = Vec2::new(gained * per_s, motion.speed_m_s * motion.turn_rad_s);
    }
    state.speed_m_s = motion.speed_m_s;
    state.turn_rad_s = motion.turn_rad_s;
    for (station, now) in place.stations.iter().zip(place.now) {
        if let Some(moved) = station.funnelled(now, state.at) {
            touch.add(direction_of(state.at - moved), state.forward);
            state.at = moved;
        }
    }
}

/// Distance to the nearest station and its index.
#[inline]
fn nearest(at: Vec2, stations: &[StationDynamics]) -> (f32, u8) {
    let mut best = (f32::INFINITY, u8::MAX);
    for (i, station) in stations.iter().enumerate() {
        let d2 = (station.contact - at).length_squared();
        if d2 < best.0 {
            best = (d2, i as u8);
        }
    }
    (math::sqrt(best.0), best.1)
}

/// Draws loads and charges the battery of one robot.
#[expect(clippy::inline_always, reason = "a third of the step of a lone robot was its calls")]
#[inline(always)]
fn power(state: &mut RobotState, plan: &Robot, place: &Place<'_>) -> PowerChange {
    let is_reference = place.model == PowerModel::Reference;
    let soc = state.soc;
    let has_power = soc > 0.0;
    let mut draw = plan.battery.idle_a;
    if has_power {
        draw += plan.drawn_a(&state.commands, &state.previous);
    }
    let command = |i: usize| math::abs(state.commands[usize::from(plan.wheels[i] & 15)]);
    let wheels = command(0) + command(1);
    state.effort = if has_power || is_reference { 0.5 * wheels } else { 0.0 };
    let was = state.flags;
    let mut now = was & (BUMPED | EMBEDDED);
    let (mut charge, mut fed) = (0.0, 0.0);
    if let Some((station, dynamics)) = docked_at(place, state) {
        charge = station.offered_a(soc);
        if !is_reference {
            let supply = station.spec.supply_a;
            fed = if draw < supply { draw } else { supply };
            let left = supply - fed;
            let offered = if dynamics.state == StationState::Full { 0.0 } else { charge };
            charge = if offered < left { offered } else { left };
        }
        now |= if charge > CHARGING_FROM_A { DOCKED | CHARGING } else { DOCKED };
    }
    state.charge_a = charge;
    state.net_a = charge - (draw - fed);
    state.sag_a = if is_reference { plan.wheel_a * wheels } else { draw - fed };
    state.soc = charged(soc, state.net_a, plan.share_per_amp);
    state.flags = now;
    state.battery_v = plan.terminal_v(state);
    state.previous = state.commands;
    state.refresh_gaze(plan.head);
    PowerChange { was, now, is_newly_empty: has_power && state.soc <= 0.0 }
}

/// Robots are looked for this much farther than they can touch, since contact work moves them
/// after they were sorted into bins.
const BIN_MARGIN: f32 = 1.2;

/// Most parts a shove is cut into; a longer one ends there.
const SHOVE_STEPS: u32 = 4096;

/// The station a robot is docked at: the nearest one, if it is on and within reach.
#[inline]
fn docked_at<'a>(
    place: &Place<'a>,
    state: &RobotState,
) -> Option<(&'a Station, &'a StationDynamics)> {
    let index = usize::from(state.station);
    let (station, now) = (place.stations.get(index)?, place.now.get(index)?);
    (now.is_on && state.station_m < station.spec.contact_radius_m).then_some((station, now))
}

#[inline]
fn direction_of(v: Vec2) -> Vec2 {
    direction(v, v.length())
}
