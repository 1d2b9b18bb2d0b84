// Short questions about the tasks; what answers them can be watched.
import type { Question } from "./tasks";

export const QUESTIONS: Record<string, Question> = {
  hysteresis: {
    ask: "AVOID begins when the front range falls below 20 cm and ends when it rises above 20 cm. The reading jitters by half a centimetre. What happens near an obstacle?",
    choices: [
      "Nothing special: 20 cm is 20 cm.",
      "The state changes to and fro within a few ticks, and the wheels with it.",
      "The robot stops, because both states are true.",
    ],
    right: 1,
    why: "With one threshold the smallest change crosses it both ways. Begin at 20 cm and end at 30 cm: then a jitter below 10 cm changes nothing. A minimum time in the state helps as well. Compare how many changes the console counts in each run.",
    shows: [["one threshold", "one-threshold"], ["two thresholds", "two-thresholds"]],
  },
  sampling: {
    ask: "The robot drives at 0.2 m/s over tape that is 19 mm wide. How often must it look so as not to cross the tape between two looks?",
    choices: ["Once a second is enough.", "About four times a second.", "More than ten times a second; well above that to steer."],
    right: 2,
    why: "At 0.2 m/s the robot is over the tape for about 95 ms. A look every 250 ms usually falls before and after it: the tape was never there. At 100 Hz some nine looks fall on it.",
    shows: [["looking every 250 ms", "slow-eyes"], ["looking every 10 ms", "quick-eyes"]],
  },
  oscillation: {
    ask: "The robot keeps to the tape but weaves along the straights, turning left and right many times a second. What do you change first?",
    choices: ["Lower the steering gain.", "Raise the steering gain, so that it corrects faster.", "Add a second pair of sensors."],
    right: 0,
    why: "The motors follow with a lag of 50 ms. A steep gain has turned too far by the time the sensors say so, and turns back just as far. Lower the gain first; where curves are then lost, lower the speed.",
    shows: [["steering twice as hard as it drives", "weaving"], ["a gain of 0.35", "quick-eyes"]],
  },
  lost: {
    ask: "Both line sensors read 0. What should the robot do?",
    choices: [
      "Go on straight ahead until tape comes.",
      "Stop at once.",
      "Wait a moment, then turn toward the side where it last saw tape, for a limited time.",
    ],
    right: 2,
    why: "Both read 0 over a gap and whenever the tape runs between them, so a short while means nothing. After that the last side is the best guess there is; a limit keeps the search from going on for ever.",
    shows: [["without memory", "lost-line"], ["with the side remembered", "found-line"]],
  },
  pen: {
    ask: "A blend of goal seeking and avoidance stays in the inside corner of the L, sweeping left and right. Lowering the gains makes it sweep more slowly. Why does it not get out?",
    choices: [
      "The rangers are too noisy.",
      "The two turns cancel there: without memory the robot cannot know that it is caught.",
      "The battery is too weak.",
    ],
    right: 1,
    why: "In the corner the pull of the beacon and the push of the walls balance; gains change how it gets to that point, not that there is one. What helps is memory: notice that nothing has changed for a while, then follow the wall until the beacon's way is free and closer than where it got stuck.",
    shows: [["the blend", "pen-trap"], ["the blend that follows the wall when it sticks", "pen-escape"]],
  },
  timeout: {
    ask: "RECOVER looks for tape. The room has none. What must the state have?",
    choices: ["A larger turn.", "A time limit after which another state takes over.", "A second threshold."],
    right: 1,
    why: "Whatever waits for something that may never come needs a limit. Three seconds without tape, then STOP: a person can see what happened, and the battery lasts.",
    shows: [["a search without a limit", "no-time-limit"]],
  },
};
