// Notices when a session no longer answers: a program that the back end itself could not stop.
import { signal } from "@preact/signals";
import { lab } from "../../lab";

/** Nothing heard for so long, while something is due, ms. */
const SILENT_MS = 3000;
const LOOK_EVERY_MS = 500;

let heardAt = 0;
let waiting = 0;

/** Keeps in mind that an answer is due. */
export async function watched<T>(answer: Promise<T>): Promise<T> {
  if (waiting++ === 0) heardAt = performance.now();
  try {
    return await answer;
  } finally {
    waiting--;
  }
}

export const silent = {
  /** The session should have said something by now. */
  is: signal(false),

  /** Looks now and then until told to stop. */
  listen(): () => void {
    const tap = () => {
      heardAt = performance.now();
    };
    const look = () => {
      // A hidden page gets its frames late.
      const isDue = (lab.isPlaying.peek() || waiting > 0) && !document.hidden;
      if (!isDue) heardAt = performance.now();
      silent.is.value = isDue && performance.now() - heardAt > SILENT_MS;
    };
    lab.taps.add(tap);
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => {
      lab.taps.delete(tap);
      clearInterval(timer);
    };
  },
};
