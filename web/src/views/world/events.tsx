// What happened, latest first; a bounded list.
import { lab } from "../../lab";
import type { Event, Frame, Stage } from "../../protocol";
import { useGathered } from "../../ui/gathered";
import { clock, words } from "../../ui/text";

const KEPT = 200;

const happened = (frame: Frame): Event[] => frame.events;

export function Events() {
  const events = useGathered(happened, KEPT);
  const stage = lab.stage.value;
  const [numerator = 1, denominator = 20] = stage?.step ?? [];
  return (
    <section class="panel" aria-label="Events">
      <h2>Events</h2>
      {events.length === 0 ? <p class="quiet">None yet: docking, touching, lives that begin or end appear here.</p> : (
        <ol class="scroll short log" id="events" reversed>
          {[...events].reverse().map((event, i) => (
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
