//! Scenarios that are part of the program.

/// A scenario with the files it refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shipped {
    /// Its name in the listing.
    pub(crate) name: &'static str,
    /// What it is, in one sentence.
    pub(crate) about: &'static str,
    /// Its text.
    pub(crate) text: &'static str,
    /// Files it refers to.
    pub(crate) files: &'static [(&'static str, &'static str)],
}

macro_rules! file {
    ($path:literal) => {
        include_str!(concat!("../../../scenarios/", $path))
    };
}

macro_rules! world {
    ($name:literal, $mind:literal, $about:literal) => {
        Shipped {
            name: $name,
            about: $about,
            text: concat!(
                "kind = \"scenario\"\nname = \"",
                $name,
                "\"\nabout = \"",
                $about,
                "\"\nworld = \"",
                $name,
                "\"\nmind = \"",
                $mind,
                "\"\n"
            ),
            files: &[],
        }
    };
}

const FOLLOWER: (&str, &str) = ("line-follow-avoid.toml", file!("machines/line-follow-avoid.toml"));
const INTERACTIVE: (&str, &str) = ("interactive.toml", file!("machines/interactive.toml"));

/// Everything there is, in the order of the listing.
pub(crate) const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "one-life",
        about: "One organism, one station, one long life.",
        text: file!("organism/one-life.toml"),
        files: &[],
    },
    Shipped {
        name: "two-robots",
        about: "Two organisms share a station: one learns, one makes noise.",
        text: file!("organism/two-robots.toml"),
        files: &[],
    },
    Shipped {
        name: "perturbations",
        about: "An organism is shoved, darkened and robbed of its station.",
        text: file!("organism/perturbations.toml"),
        files: &[],
    },
    world!("standard", "full", "A room with one station that shows its state."),
    world!("reference", "full", "The room of the published simulator, artefacts included."),
    world!("two_stations", "full", "A wide room with a station at either end."),
    world!("obstacles", "full", "A furnished room."),
    world!("warmth_and_gas", "full", "Warmth at the station, something that smells elsewhere."),
    world!("window_light", "full", "A long room whose light is mostly daylight."),
    Shipped {
        name: "sunny-room",
        about: "A window, a lamp, warmth and gas, all to be moved by hand.",
        text: file!("organism/sunny-room.toml"),
        files: &[],
    },
    world!("several_robots", "full", "Four robots of three bodies and two stations."),
    world!("arena", "full", "Four discs, four boxes, no station."),
    Shipped {
        name: "crowd",
        about: "Fifty organisms in a hall with six stations.",
        text: file!("organism/crowd.toml"),
        files: &[],
    },
    world!("course_room", "braitenberg_3b", "The course's open room and a vehicle that avoids."),
    world!("course_track", "line_pd", "The course's line track and a line follower."),
    world!("course_hard_track", "line_pd", "A track with a gap, a crossing and an acute corner."),
    world!("course_corridor", "wall_pd", "A ring corridor and a wall follower."),
    world!("course_pen", "goal_blend", "A beacon behind an L-shaped wall; the blend gets stuck."),
    world!("course_pen_aside", "bug2", "The same with the beacon aside, and Bug2."),
    world!("course_ring", "tangent_bug", "A beacon that cannot be reached."),
    Shipped {
        name: "machine-room",
        about: "The line follower as a state machine, in the open room.",
        text: file!("machines/room.toml"),
        files: &[FOLLOWER],
    },
    Shipped {
        name: "machine-track",
        about: "The line follower as a state machine, on the line track.",
        text: file!("machines/track.toml"),
        files: &[FOLLOWER],
    },
    Shipped {
        name: "machine-interactive",
        about: "The lesson's interactive machine, to be driven by its events.",
        text: "kind = \"scenario\"\nname = \"interactive machine\"\nworld = \"course_track\"\n\
               mind = \"interactive.toml\"\nseed = 1\n",
        files: &[INTERACTIVE],
    },
];

/// The scenario of a name.
pub(crate) fn find(name: &str) -> Option<&'static Shipped> {
    SHIPPED.iter().find(|shipped| shipped.name == name)
}
