// The tasks of `tropism grade`, told to whoever is to solve them.

export interface Question {
  ask: string;
  choices: string[];
  /** Index of the right choice. */
  right: number;
  why: string;
  /** Scenarios that show it: what to look at, and the name behind `lesson-`. */
  shows: [string, string][];
}

export interface Design {
  states: { name: string; about: string }[];
  /** From, to, cause. */
  ways: [string, string, string][];
}

export interface LabTask {
  /** Its name for grading. */
  id: string;
  title: string;
  world: string;
  text: string[];
  passes: string;
  /** Example to start from. */
  example: string;
  design?: Design;
  questions: string[];
}

export const FOLLOWER: Design = {
  states: [
    { name: "SEEK", about: "No tape seen yet: cruise, bend away from the closer side." },
    { name: "FOLLOW", about: "Steer in proportion to the line error." },
    { name: "AVOID", about: "Turn tightly toward the more open side, chosen on entry." },
    { name: "RECOVER", about: "Arc toward the side where the tape was last seen." },
    { name: "STOP", about: "Motors off; only a person starts it again." },
  ],
  ways: [
    ["SEEK", "FOLLOW", "tape"], ["SEEK", "AVOID", "front < 20 cm"],
    ["FOLLOW", "AVOID", "front < 20 cm"], ["FOLLOW", "RECOVER", "no tape for 0.3 s"],
    ["AVOID", "RECOVER", "front > 30 cm, tape seen before"], ["AVOID", "SEEK", "front > 30 cm, no tape yet"],
    ["RECOVER", "FOLLOW", "tape"], ["RECOVER", "AVOID", "front < 20 cm"], ["RECOVER", "STOP", "3 s without tape"],
  ],
};

const CHANNELS =
  "Your function control(sensors, memory) is called 100 times a second. sensors.ultrasonic.left, .front and .right are in cm (Infinity without an echo), sensors.line.left and .right are 0 or 1, sensors.t is in s. Return { left, right }, each from −1 to 1; 1 is 0.4 m/s at the wheel.";
const FREE = "It touches nothing and never stands still for a second.";
const LINE =
  "It laps the tape at least once, touches nothing, never stands still for a second and never strays more than 15 cm from tape it has found.";
const BEACON = "Its centre comes within 15 cm of the beacon.";
const GOAL = "sensors.goal.bearing (rad, positive to the left) and sensors.goal.range (m) say where the beacon is, walls or no walls.";

export const TASKS: LabTask[] = [
  {
    id: "track",
    title: "Line track",
    world: "course_track",
    text: [
      "A closed loop of 19 mm tape, 6.6 m long, with straights, wide curves and an S. The robot starts beside the tape and heads for it. Find the tape and follow it for two minutes.",
      "Between the two line sensors are 24 mm: where the tape runs right between them, both read 0. That is not a lost line.",
      CHANNELS,
    ],
    passes: LINE,
    example: "follower",
    design: FOLLOWER,
    questions: ["sampling", "oscillation", "lost"],
  },
  {
    id: "room",
    title: "Open room",
    world: "course_room",
    text: [
      "A room with obstacles and no tape. Drive about for a minute without touching anything, from start headings all round.",
      "A plan that works: states SEEK and AVOID, entering AVOID below 20 cm in front and leaving it above 30 cm after 0.8 s at least.",
      CHANNELS,
    ],
    passes: FREE,
    example: "follower",
    design: FOLLOWER,
    questions: ["hysteresis", "timeout"],
  },
  {
    id: "room_start",
    title: "Open room, one start",
    world: "course_room",
    text: ["The same room, always from its start pose or within 2 cm and 6° of it.", CHANNELS],
    passes: FREE,
    example: "follower",
    design: FOLLOWER,
    questions: ["hysteresis", "timeout"],
  },
  {
    id: "hard_track",
    title: "Hard line track",
    world: "course_hard_track",
    text: [
      "The tape has a gap of 8 cm, a strip that crosses it twice, and a corner of 60°. Remember where the tape was: at the corner and over the gap both sensors read 0.",
      CHANNELS,
    ],
    passes: LINE,
    example: "remembers",
    design: FOLLOWER,
    questions: ["lost", "sampling"],
  },
  {
    id: "corridor",
    title: "Ring corridor",
    world: "course_corridor",
    text: ["A corridor that closes on itself. Drive along it for a minute without touching a wall.", CHANNELS],
    passes: FREE,
    example: "follower",
    questions: ["oscillation", "hysteresis"],
  },
  {
    id: "pen",
    title: "Pen with an L-shaped wall",
    world: "course_pen",
    text: [
      "Reach the beacon behind the low L-shaped wall within two minutes. Adding the turn toward the beacon to the turn away from obstacles is the first thing everybody tries; the inside corner of the L is there for it.",
      GOAL,
      CHANNELS,
    ],
    passes: BEACON,
    example: "naive-blend",
    questions: ["pen", "timeout"],
  },
  {
    id: "pen_aside",
    title: "Pen, beacon aside",
    world: "course_pen_aside",
    text: ["The same pen with the beacon 30 cm to the side. Does your robot get there because it is better, or because the layout is easier?", GOAL, CHANNELS],
    passes: BEACON,
    example: "naive-blend",
    questions: ["pen"],
  },
  {
    id: "ring",
    title: "Beacon that cannot be reached",
    world: "course_ring",
    text: ["No way leads to this beacon. No controller passes; a good one notices and stops, instead of circling until its battery is empty.", GOAL, CHANNELS],
    passes: `${BEACON} Nothing can, here.`,
    example: "empty",
    questions: ["timeout"],
  },
];

export const EXAMPLES: [string, string][] = [
  ["follower", "Line follower with obstacle avoidance, a state machine"],
  ["naive-blend", "Goal and obstacles added up"],
  ["remembers", "Line follower that remembers the side"],
  ["one-threshold", "Avoidance with one threshold"],
  ["two-thresholds", "Avoidance with two thresholds"],
  ["empty", "Empty"],
];
