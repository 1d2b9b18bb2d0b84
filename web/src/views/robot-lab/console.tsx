// What the program prints, and changes of state with their cause; a bounded list.
import { lab } from "../../lab";
import type { Frame, LogEntry } from "../../protocol";
import { useGathered } from "../../ui/gathered";
import { clock } from "../../ui/text";

const KEPT = 500;

/** Lines of the watched robot. */
const printed = (frame: Frame): LogEntry[] => frame.robots?.watched?.log ?? [];

/** The same, oldest first; time going back takes later ones away. */
export const useLog = () => useGathered(printed, KEPT);

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
