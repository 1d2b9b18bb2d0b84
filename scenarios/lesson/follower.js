// Finds a strip of tape, follows it and turns away from obstacles: a state machine as a table.
// Every state says what the wheels do and which state comes next; everything it must remember
// lives in `memory`, which starts empty.

const NEAR_CM = 20; // AVOID begins below this …
const CLEAR_CM = 30; // … and ends above this: noise between the two changes nothing.

const states = {
  // No tape yet: cruise, and bend away from whatever is closer.
  SEEK: {
    drive: ({ ultrasonic: u }) => steer(u.front < 50 ? 0.3 : 0.5, 0.5 * (closeness(u.right) - closeness(u.left))),
    next: (s, m) => (s.ultrasonic.front < NEAR_CM ? "AVOID" : m.isOnTape ? "FOLLOW" : null),
  },
  // In proportion to the error: +1 tape under the left sensor, −1 under the right one.
  FOLLOW: {
    drive: ({ line }) => steer(0.5, 0.35 * (line.left - line.right)),
    next: (s, m) => (s.ultrasonic.front < NEAR_CM ? "AVOID" : s.t - m.tapeAt > 0.3 ? "RECOVER" : null),
  },
  // On the spot, toward the side with more room; the side is chosen once, on entry.
  AVOID: {
    enter: (s, m) => (m.turn = s.ultrasonic.left > s.ultrasonic.right ? 1 : -1),
    drive: (s, m) => (m.turn > 0 ? { left: -0.2, right: 0.5 } : { left: 0.5, right: -0.2 }),
    next: (s, m) => (s.ultrasonic.front > CLEAR_CM && m.inState > 0.8 ? (m.hasSeenTape ? "RECOVER" : "SEEK") : null),
    leave: (s, m) => (m.side = -m.turn), // the tape is where it turned away from
  },
  // An arc toward the side where the tape was last seen, for three seconds at most.
  RECOVER: {
    drive: (s, m) => steer(0.3, 0.25 * m.side),
    next: (s, m) =>
      s.ultrasonic.front < NEAR_CM ? "AVOID" : m.isOnTape ? "FOLLOW" : m.inState > 3 ? "STOP" : null,
  },
  // Only a person starts it again.
  STOP: { drive: () => ({ left: 0, right: 0 }), next: () => null },
};

function control(sensors, memory) {
  memory.state ??= "SEEK";
  memory.since ??= sensors.t;
  memory.side ??= 1;
  look(sensors, memory);
  memory.inState = sensors.t - memory.since;
  const next = states[memory.state].next(sensors, memory);
  if (next) {
    console.log(`${memory.state} → ${next}`);
    states[memory.state].leave?.(sensors, memory);
    states[next].enter?.(sensors, memory);
    memory.state = next;
    memory.since = sensors.t;
  }
  return states[memory.state].drive(sensors, memory);
}

function look({ line, t }, memory) {
  memory.isOnTape = line.left === 1 || line.right === 1;
  if (memory.isOnTape) {
    memory.tapeAt = t;
    memory.hasSeenTape = true;
  }
  if (line.left !== line.right) memory.side = line.left ? 1 : -1;
}

/** 0 from 50 cm on, 1 at contact. */
function closeness(cm) {
  return Math.max(0, 1 - cm / 50);
}

/** A positive turn goes left. */
function steer(speed, turn) {
  return { left: speed - turn, right: speed + turn };
}
