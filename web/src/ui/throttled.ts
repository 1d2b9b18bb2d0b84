// A frame now and then: tables and forms need no more than ten a second.
import { useEffect, useState } from "preact/hooks";
import { lab } from "../lab";
import type { Frame } from "../protocol";

/** The latest frame, renewed at most every `wait` ms; the last one always arrives. */
export function useFrame(wait = 120): Frame | null {
  const [frame, show] = useState<Frame | null>(lab.frame.peek());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = lab.frame.subscribe((next) => {
      if (next === null || !next.is_playing) {
        clearTimeout(timer);
        timer = undefined;
        show(next);
      } else if (timer === undefined) {
        timer = setTimeout(() => {
          timer = undefined;
          show(lab.frame.peek());
        }, wait);
      }
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [wait]);
  return frame;
}
