// What the program prints, and changes of state with their cause; a bounded list.
import { useEffect, useState } from "preact/hooks";
import { lab } from "../../lab";
import type { Frame, LogEntry, Stage } from "../../protocol";
import { clock } from "../../ui/text";

const KEPT = 500;
const SHOWN_EVERY_MS = 150;

/** Lines of the watched robot, oldest first; time going back takes later ones away. */
export function useLog(): LogEntry[] {
  const [shown, show] = useState<LogEntry[]>([]);
  useEffect(() => {
    let kept: LogEntry[] = [];
    let [tick, name] = [0, ""];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tap = (frame: Frame, stage: Stage) => {
      const lines = frame.robots?.watched?.log ?? [];
      const isOther = stage.name !== name;
      if (isOther) kept = [];
      else if (frame.tick < tick) kept = frame.tick === 0 ? [] : kept.filter((l) => l.tick <= frame.tick);
      else if (lines.length === 0) {
        tick = frame.tick;
        return;
      }
      [tick, name] = [frame.tick, stage.name];
      kept = [...kept, ...lines].slice(-KEPT);
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
  }, []);
  return shown;
}

export function Console({ title, empty }: { title: string; empty: string }) {
  const lines = useLog();
  const [numerator = 1, denominator = 20] = lab.stage.value?.step ?? [];
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      {lines.length === 0 ? <p class="quiet">{empty}</p> : (
        <ol class="scroll short log mono" id="console" tabIndex={0} aria-label={`${title}, latest first`}>
          {[...lines].reverse().map((line, i) => (
            <li key={lines.length - i}>
              <time>{clock((line.tick * numerator) / denominator)}</time> {line.text}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
