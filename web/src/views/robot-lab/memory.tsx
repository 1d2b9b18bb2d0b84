// The program's memory as it is now.
import { useFrame } from "../../ui/throttled";

/** Entries shown of a list or object. */
const SHOWN_MAX = 100;

export function useMemory(): Record<string, unknown> | null {
  const mind = useFrame()?.robots?.watched?.mind;
  if (mind?.kind !== "script") return null;
  try {
    const value: unknown = JSON.parse(mind.script.memory);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

export function Memory() {
  const memory = useMemory();
  return (
    <section class="panel" aria-label="Memory">
      <h2>memory</h2>
      {!memory || Object.keys(memory).length === 0 ? (
        <p class="quiet">{memory ? "It is empty." : "What the program keeps in memory appears here while it runs."}</p>
      ) : (
        <div class="scroll short mono" id="memory"><Entries value={memory} /></div>
      )}
    </section>
  );
}

function Entries({ value }: { value: object }) {
  const entries = Object.entries(value);
  return (
    <ul class="tree">
      {entries.slice(0, SHOWN_MAX).map(([name, inner]) => <Entry key={name} name={name} value={inner} />)}
      {entries.length > SHOWN_MAX && <li class="quiet">and {entries.length - SHOWN_MAX} more</li>}
    </ul>
  );
}

function Entry({ name, value }: { name: string; value: unknown }) {
  if (typeof value === "object" && value !== null) {
    const count = Object.keys(value).length;
    const kind = Array.isArray(value) ? `list of ${count}` : `${count} ${count === 1 ? "entry" : "entries"}`;
    return (
      <li>
        <details>
          <summary>{name}: <span class="quiet">{kind}</span></summary>
          <Entries value={value} />
        </details>
      </li>
    );
  }
  return (
    <li>
      <span class="name">{name}</span>: <span class={`value ${typeof value}`}>{show(value)}</span>
    </li>
  );
}

function show(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : value.toFixed(4);
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
