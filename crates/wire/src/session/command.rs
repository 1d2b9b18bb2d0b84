//! What can be asked of a session.

use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A numbered command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Chosen by the asker; the reply carries it.
    pub id: u32,
    /// What is asked.
    pub command: Command,
}

/// A point: `[x, y]` in m, for the octopus in pixels.
pub type Point = [f64; 2];

/// A file handed over as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TextFile {
    /// Its name, for messages and for other files that refer to it.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Where something to load comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "from", rename_all = "snake_case", deny_unknown_fields)]
pub enum Source {
    /// A scenario that is part of the program, by its name in the listing.
    BuiltIn {
        /// Its name.
        name: String,
    },
    /// A scenario, network, octopus scene or recording handed over as text.
    Text {
        /// The file itself.
        file: TextFile,
        /// Files it refers to.
        #[serde(default)]
        files: Vec<TextFile>,
    },
    /// A recording that the back end keeps, by its name in the listing.
    Recording {
        /// Its name.
        name: String,
    },
}

/// What a reset takes back to its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ResetWhat {
    /// Everything: tick 0, newborn minds, the world as loaded.
    Whole,
    /// One robot: a newborn mind at its start pose, the rest goes on.
    Robot,
    /// Poses, batteries and the room as loaded; minds keep what they learned.
    World,
}

/// A kind of thing on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ThingKind {
    /// A robot.
    Robot,
    /// A charging station.
    Station,
    /// A solid disc.
    Disc,
    /// A solid polygon.
    Polygon,
    /// A thin wall.
    Wall,
    /// Tape on the floor.
    Tape,
    /// A beacon that goal sensors see.
    Beacon,
    /// A light.
    Light,
    /// A source of warmth or gas.
    Field,
    /// Food of the octopus.
    Food,
    /// An obstacle of the octopus.
    Obstacle,
    /// A hazard reported to the octopus.
    Hazard,
    /// The ball of a behaviour network's scene.
    Ball,
}

/// One thing on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Thing {
    /// Its kind.
    pub kind: ThingKind,
    /// Its place in the stage's list of that kind; for food, obstacles and hazards their
    /// identifier.
    pub index: u32,
}

/// What a source gives off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FieldOf {
    /// Warmth.
    Warmth,
    /// Gas or scent.
    Gas,
}

/// A thing to put on the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum NewThing {
    /// A disc.
    Disc {
        /// Its centre.
        at: Point,
        /// Its radius, m.
        radius_m: f64,
    },
    /// A box.
    Box {
        /// Its centre.
        at: Point,
        /// Width along its own x, m.
        width_m: f64,
        /// Height along its own y, m.
        height_m: f64,
        /// Its turn, rad.
        #[serde(default)]
        turn_rad: f64,
    },
    /// A thin wall.
    Wall {
        /// One end.
        from: Point,
        /// The other end.
        to: Point,
    },
    /// Tape on the floor.
    Tape {
        /// Corners of its middle line; at least two.
        points: Vec<Point>,
        /// Its width, m.
        width_m: f64,
    },
    /// A beacon.
    Beacon {
        /// Where.
        at: Point,
    },
    /// A lamp.
    Lamp {
        /// Where it hangs.
        at: Point,
        /// Irradiance times squared distance, m².
        intensity: f64,
    },
    /// A long window far along one direction.
    Window {
        /// A point of it.
        at: Point,
        /// Direction towards it, rad.
        direction_rad: f64,
        /// Irradiance times squared distance, m².
        intensity: f64,
    },
    /// A source of warmth or gas.
    Field {
        /// What it gives off.
        of: FieldOf,
        /// Where it stands.
        at: Point,
        /// Value at the source.
        strength: f64,
        /// Width, m: at it the value has fallen to 0.61 of the strength.
        spread_m: f64,
    },
    /// A charging station that shows its state.
    Station {
        /// Where the centre of a docked robot is.
        at: Point,
        /// Direction from there into the room, rad.
        facing_rad: f64,
    },
    /// Food of the octopus.
    Food {
        /// Its centre, px.
        at: Point,
        /// Its radius, px.
        radius: f64,
    },
    /// An obstacle of the octopus.
    Obstacle {
        /// Its centre, px.
        at: Point,
        /// Its radius, px.
        radius: f64,
    },
}

/// A part of a robot's inside that is sent only when asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The ranging rays of all robots as they lie, with their hits.
    Rays,
    /// Needs, drives and what follows from them; per-actuator decision.
    Organism,
    /// Contingency memory.
    Contingency,
    /// Spatial memory.
    Places,
    /// Reflex weights, gates and inputs.
    Reflex,
    /// All internal values of the mind by name.
    Internals,
    /// Terms behind every activation of a behaviour network.
    Terms,
}

/// Value of a switch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Switch {
    /// On or off.
    Bool(bool),
    /// A number.
    Number(f64),
    /// One of several words.
    Word(String),
    /// Several names.
    Words(Vec<String>),
}

/// What an arm that was sent for food does when another arm holds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhenTaken {
    /// Keeps the task and goes on when the food is let go.
    #[default]
    Wait,
    /// Ends the task.
    Free,
    /// Takes the nearest food that nobody holds or is sent to.
    Nearest,
}

/// What an arm is to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "task", rename_all = "snake_case", deny_unknown_fields)]
pub enum ArmTask {
    /// Bring the tip here; with held food, carry it here.
    Reach {
        /// Where, px.
        at: Point,
    },
    /// Reach for food and take it.
    Food {
        /// Identifier of the food.
        food: u32,
        /// What to do when another arm holds it.
        #[serde(default)]
        when_taken: WhenTaken,
    },
    /// Do nothing.
    Idle,
    /// Come home.
    Retract,
    /// Let go.
    Release,
    /// Start anew with these parameters, each clamped to its range; what is absent stays. With a
    /// speed alone the arm keeps its pose and what it holds.
    Reset {
        /// Number of segments, 2–40.
        #[serde(default)]
        segments: Option<u32>,
        /// Segment length, px, 6–30.
        #[serde(default)]
        length: Option<f64>,
        /// Largest bend per joint, degrees, 5–180.
        #[serde(default)]
        bend_degrees: Option<f64>,
        /// Turning speed, degrees per second, 14.32–229.18.
        #[serde(default)]
        speed_degrees: Option<f64>,
    },
}

/// Something asked of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// What can be loaded here. Reply: `listing`.
    List,
    /// Puts something on the table, paused at tick 0. Then a stage and a frame follow.
    Load {
        /// What.
        source: Source,
        /// Root seed; absent means the file's own, or 1.
        #[serde(default)]
        seed: Option<u64>,
        /// Condition of the first robot's mind in place of the scenario's own.
        #[serde(default)]
        condition: Option<String>,
        /// For behaviour networks: the scene they drive in.
        #[serde(default)]
        scene: Option<String>,
    },
    /// Runs on at the set speed.
    Play,
    /// Stands still.
    Pause,
    /// Advances by whole ticks, paused or not. Reply after the last one; a frame follows.
    Step {
        /// Ticks, 1 to 100,000.
        ticks: u32,
    },
    /// Sets the speed of playing.
    Speed {
        /// Simulated seconds per second, 0.05–1000.
        factor: f64,
    },
    /// Takes something back to its beginning.
    Reset {
        /// What.
        what: ResetWhat,
        /// Which robot, for [`ResetWhat::Robot`].
        #[serde(default)]
        robot: u32,
    },
    /// Goes to an earlier tick of this session, or forth. What was asked at its tick is done again.
    Seek {
        /// Which tick.
        tick: u64,
    },
    /// Says which robot's inside frames carry, and which parts.
    Watch {
        /// Which robot.
        robot: u32,
        /// Which parts.
        parts: Vec<Part>,
    },
    /// Sets a parameter of a mind, by the name in its parameter table.
    Set {
        /// Which robot.
        #[serde(default)]
        robot: u32,
        /// Name of the parameter.
        parameter: String,
        /// Its new value.
        value: f64,
    },
    /// Turns a switch of a mind, such as an ablation; it acts from the next tick on.
    Switch {
        /// Which robot.
        #[serde(default)]
        robot: u32,
        /// Name of the switch as the stage lists it.
        name: String,
        /// Its new value.
        value: Switch,
    },
    /// Drives an actuator by hand; the mind has it back 3 s after the last time. A behaviour
    /// network's readings are given by hand in the same way.
    Drive {
        /// Which robot.
        #[serde(default)]
        robot: u32,
        /// Name of the actuator.
        actuator: String,
        /// Target within its range.
        value: f64,
    },
    /// Moves a thing.
    Move {
        /// Which.
        thing: Thing,
        /// Where its reference point goes: centre, contact point, first corner. A window keeps its
        /// direction and then passes through this point.
        to: Point,
        /// New heading, for robots and stations; for windows the direction towards them.
        #[serde(default)]
        heading_rad: Option<f64>,
    },
    /// Puts a new thing on the table.
    Add {
        /// What.
        thing: NewThing,
    },
    /// Takes a thing away.
    Remove {
        /// Which.
        thing: Thing,
    },
    /// Switches a light, station or field on or off.
    Power {
        /// Which.
        thing: Thing,
        /// On or off.
        is_on: bool,
    },
    /// Gives an arm of the octopus a task.
    Assign {
        /// Arm, 1–8.
        arm: u32,
        /// What to do.
        task: ArmTask,
    },
    /// Hands what one arm holds to another.
    HandOver {
        /// Arm that holds, 1–8.
        from: u32,
        /// Arm that takes, 1–8.
        to: u32,
    },
    /// Reports a hazard near the octopus.
    Hazard {
        /// Its centre, px.
        at: Point,
        /// Its radius, px.
        radius: f64,
        /// Its severity, 0–1.
        severity: f64,
        /// How long it lasts, s; absent means until it is removed.
        #[serde(default)]
        seconds: Option<f64>,
    },
    /// Chooses the law by which arms move.
    Law {
        /// Name of the law as the stage lists it.
        law: String,
    },
    /// Gives a robot a script; it starts from the next tick on with empty memory.
    Script {
        /// Which robot.
        #[serde(default)]
        robot: u32,
        /// The script; its name ends in `.js`.
        file: TextFile,
    },
    /// Gives a robot's state machine an event.
    Fire {
        /// Which robot.
        #[serde(default)]
        robot: u32,
        /// Name of the event.
        event: String,
    },
    /// Replaces the text of a behaviour network; a faulty one leaves the running one as it is.
    Spec {
        /// The new text.
        text: String,
    },
    /// Sets a mode of a behaviour network.
    Mode {
        /// Its name.
        name: String,
        /// Its value.
        value: f64,
    },
    /// The life state of a robot. Reply: `life_state`.
    LifeState {
        /// Which robot.
        #[serde(default)]
        robot: u32,
    },
    /// Gives a robot a life state. Reply: `transfer`.
    GiveLifeState {
        /// Which robot.
        #[serde(default)]
        robot: u32,
        /// The document.
        document: String,
    },
    /// The world as it stands as a scenario file. Reply: `document`.
    SaveWorld,
    /// Starts a recording of everything asked from tick 0 on.
    Record {
        /// Its name: letters, digits, `-`, `_`; absent means one made of the scenario's name.
        #[serde(default)]
        name: Option<String>,
    },
    /// Ends the recording. Reply: `document`, the recording.
    StopRecording,
    /// A recording under way or kept, as text. Reply: `document`.
    Recording {
        /// Its name.
        name: String,
    },
}
