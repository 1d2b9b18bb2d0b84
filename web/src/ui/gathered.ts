// What came with every frame, gathered in a bounded list and shown now and then.
import { useEffect, useState } from "preact/hooks";
import { lab } from "../lab";
import type { Frame, Stage } from "../protocol";

const SHOWN_EVERY_MS = 200;

/** The last `most` things, oldest first. Time that goes back takes later ones away, and another stage all of them. */
export function useGathered<Thing extends { tick: number }>(of: (frame: Frame) => Thing[], most: number): Thing[] {
  const [shown, show] = useState<Thing[]>([]);
  useEffect(() => {
    let [kept, tick, key]: [Thing[], number, string] = [[], 0, ""];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tap = (frame: Frame, stage: Stage) => {
      const things = of(frame);
      const isOther = key !== `${stage.name} ${stage.seed}`;
      const isBack = frame.tick < tick;
      tick = frame.tick;
      if (!isOther && !isBack && things.length === 0) return;
      key = `${stage.name} ${stage.seed}`;
      // At tick 0 everything begins anew, what is said there included.
      if (isOther || (isBack && tick === 0)) kept = [];
      else if (isBack) kept = kept.filter((thing) => thing.tick <= tick);
      kept = [...kept, ...things].slice(-most);
      timer ??= setTimeout(() => {
        timer = undefined;
        show(kept);
      }, SHOWN_EVERY_MS);
    };
    lab.taps.add(tap);
    return () => {
      lab.taps.delete(tap);
      clearTimeout(timer);
    };
  }, [of, most]);
  return shown;
}
