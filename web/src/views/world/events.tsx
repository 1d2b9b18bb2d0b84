// What happened, latest first; a bounded list.
import { useEffect, useState } from "preact/hooks";
import { lab } from "../../lab";
import type { Event, Frame, Stage } from "../../protocol";
import { clock, words } from "../../ui/text";

const KEPT = 200;
const SHOWN_EVERY_MS = 250;

export function Events() {
  const events = useEvents();
  const stage = lab.stage.value;
  const [numerator = 1, denominator = 20] = stage?.step ?? [];
  return (
    <section class="panel" aria-label="Events">
      <h2>Events</h2>
      {events.length === 0 ? <p class="quiet">None yet: docking, touching, lives that begin or end appear here.</p> : (
        <ol class="scroll short log" id="events" reversed>
          {events.map((event, i) => (
            <li key={events.length - i}>
              <time>{clock((event.tick * numerator) / denominator)}</time> {say(event, stage)}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function say(event: Event, stage: Stage | null): string {
  const robot = event.robot ?? null;
  const who = robot === null ? "" : `${stage?.robots?.robots[robot]?.name ?? `robot ${robot}`}: `;
  const which = event.index === null || event.index === undefined ? "" : ` (${event.index + 1})`;
  return `${who}${words(event.kind)}${which}${event.text ? `: ${event.text}` : ""}`;
}

/** Gathered from every frame, shown now and then; forgotten when something else is loaded. */
function useEvents(): Event[] {
  const [shown, show] = useState<Event[]>([]);
  useEffect(() => {
    let [kept, tick, key]: [Event[], number, string] = [[], 0, ""];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tap = (frame: Frame, stage: Stage) => {
      const isOther = key !== `${stage.name} ${stage.seed}`;
      if (!isOther && frame.tick >= tick && frame.events.length === 0) {
        tick = frame.tick;
        return;
      }
      // Time that went back, by a reset or by seeking, takes later events away.
      kept = isOther ? [] : kept.filter((e) => e.tick <= frame.tick);
      [tick, key] = [frame.tick, `${stage.name} ${stage.seed}`];
      kept = [...frame.events.slice().reverse(), ...kept].slice(0, KEPT);
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
