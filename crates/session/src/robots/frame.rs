//! The world now.

use tropism_body::Controller as _;
use tropism_lab::behaviour;
use tropism_wire::session::{Part, RayFrame, RobotFrame, StationFrame, Watched, WorldFrame};
use tropism_world::StationState;
use tropism_world::sensor::SensorModel;

use crate::describe::point;
use crate::robots::Robots;
use crate::robots::keeper::Values;
use crate::table::Watch;

impl Robots {
    pub(crate) fn world_frame(&mut self, watch: &Watch) -> WorldFrame {
        let has_rays = watch.has(Part::Rays);
        let robots = (0..self.keepers.len()).map(|i| self.robot_frame(i, has_rays)).collect();
        let stations = (0..self.run.world().stations()).map(|i| self.station_frame(i)).collect();
        let (lights_on, fields_on) = self.run.world().switched_on();
        let watched = self.watched(watch).map(Box::new);
        WorldFrame { robots, stations, lights_on, fields_on, watched }
    }

    fn watched(&mut self, watch: &Watch) -> Option<Watched> {
        let i = self.index(watch.robot).ok()?;
        let mind = self.mind_frame(i, watch);
        let internals = watch.has(Part::Internals).then(|| {
            let mut values = Values::default();
            self.run.robots()[i].mind.observe(&mut values);
            values.0
        });
        Some(Watched { robot: watch.robot, mind, internals, log: self.keepers[i].take_log() })
    }

    fn station_frame(&self, i: usize) -> StationFrame {
        let world = self.run.world();
        let (at, is_on) = world.station_place(i).unwrap_or_default();
        let state = match world.station_state(i) {
            StationState::Charging => "charging",
            StationState::Full => "full",
            StationState::Idle => "idle",
        };
        let facing_rad = world.station_facing(i).unwrap_or_default();
        StationFrame { at: point(at), facing_rad, is_on, state: state.into() }
    }

    fn robot_frame(&self, i: usize, has_rays: bool) -> RobotFrame {
        let (robot, truth) = (&self.run.robots()[i], self.run.truth(i));
        let now = self.run.now();
        let channels = 0..robot.body.sensors.len();
        let reading = |c| robot.percept.reading(c).value().filter(|v: &f32| v.is_finite());
        RobotFrame {
            at: [truth.x_m.into(), truth.y_m.into()],
            heading_rad: truth.heading_rad,
            odometry: self.keepers[i].odometry(),
            speed_m_s: truth.speed_m_s,
            charge: truth.soc,
            is_docked: truth.is_docked,
            is_charging: truth.is_charging,
            is_bumped: truth.is_bumped,
            life: self.keepers[i].life,
            is_stopped: robot.mind.failure().is_some() || truth.soc <= 0.0,
            behaviour: behaviour::BEHAVIOURS[behaviour::observe(&truth) as usize].into(),
            module: robot.mind.controlling_module() as u32,
            sensors: channels.map(reading).collect(),
            actuators: robot.actuators.values().to_vec(),
            manual: bits(robot.body.actuators.len(), |c| robot.actuators.is_manual(c, now)),
            tripped: bits(robot.percept.actuators.len(), |c| robot.percept.actuators[c].is_tripped),
            is_battery_critical: robot.safety.report().is_battery_critical,
            rays: if has_rays { self.rays(i) } else { Vec::new() },
        }
    }

    fn rays(&self, i: usize) -> Vec<RayFrame> {
        let world = self.run.world();
        let models = &self.spec.robots[i].plan.sensors;
        let rays = world.sensor_rays(i).map(|(channel, ray)| {
            let longest = match models.get(channel) {
                Some(
                    SensorModel::InfraRed { beam, .. }
                    | SensorModel::Ultrasonic { beam, .. }
                    | SensorModel::Lidar { beam, .. },
                ) => beam.max_m,
                _ => 0.0,
            };
            let hit_m = world.cast(&ray, Some(i)).distance_m;
            let (length, is_hit) = (hit_m.min(longest), hit_m <= longest);
            let (from, to) = (point(ray.from), point(ray.from + ray.along * length));
            RayFrame { channel: channel as u32, from, to, is_hit }
        });
        rays.collect()
    }
}

fn bits(count: usize, is_set: impl Fn(usize) -> bool) -> u32 {
    (0..count.min(32)).filter(|i| is_set(*i)).map(|i| 1 << i).sum()
}
