// The machine that drives the robot, live: that of a machine file, or the one a script keeps in
// `memory.state`.
import { useEffect, useRef, useState } from "preact/hooks";
import { lab } from "../../lab";
import type { Frame, MachineStage, Stage } from "../../protocol";
import { useFrame } from "../../ui/throttled";
import { clock, number, words } from "../../ui/text";
import { Diagram } from "./diagram";
import type { DrawnState, Way } from "./layout";
import { useMemory } from "./memory";
import type { Design } from "./tasks";

/** States a script can show; a program that makes up names without end is cut off there. */
const STATES_MAX = 24;

/** The machine of a script: the task's plan, and whatever else `memory.state` was seen to be. */
export function ScriptMachine({ design }: { design?: Design | undefined }) {
  const memory = useMemory();
  const seen = useSeen();
  const state = typeof memory?.["state"] === "string" ? memory["state"] : null;
  if (!design && seen.states.length === 0) return null;
  const states: DrawnState[] = [...(design?.states ?? [])];
  const index = (name: string) => states.findIndex((s) => s.name.toLowerCase() === name.toLowerCase());
  for (const name of seen.states) if (index(name) < 0) states.push({ name, about: "A state of this program." });
  const ways: Way[] = (design?.ways ?? []).map(([from, to, label]) => ({ from: index(from), to: index(to), label }));
  for (const { from, to, count } of seen.ways) {
    const [a, b] = [index(from), index(to)];
    const planned = ways.filter((w) => w.from === a && w.to === b);
    if (planned.length === 0) ways.push({ from: a, to: b, label: `taken ${count} ×` });
  }
  const current = state === null ? -1 : index(state);
  return (
    <section class="panel" aria-label="State machine">
      <h2>State machine{state !== null && <>: <span id="state-now">{state}</span></>}</h2>
      <p class="quiet">
        {current >= 0 ? states[current]?.about : "This is the plan. While a program keeps the name of its state in memory.state, it shows here where it is."}
      </p>
      <Diagram states={states} ways={ways} current={current < 0 ? null : current} />
      {seen.ways.length > 0 && (
        <p class="quiet">Taken so far: {seen.ways.map((w) => `${w.from} → ${w.to} ${w.count} ×`).join(", ")}.</p>
      )}
    </section>
  );
}

interface Seen {
  states: string[];
  ways: { from: string; to: string; count: number }[];
}

/** States and changes of state seen in frames since the run began. */
function useSeen(): Seen {
  const [shown, show] = useState<Seen>({ states: [], ways: [] });
  const last = useRef("");
  useEffect(() => {
    let seen: Seen = { states: [], ways: [] };
    let [tick, key, text] = [0, "", ""];
    const tap = (frame: Frame, stage: Stage) => {
      const name = `${stage.name} ${stage.robots?.robots[0]?.mind.script?.text.length ?? 0}`;
      if (frame.tick < tick || name !== key) {
        seen = { states: [], ways: [] };
        last.current = "";
        show(seen);
      }
      [tick, key] = [frame.tick, name];
      const mind = frame.robots?.watched?.mind;
      if (mind?.kind !== "script" || mind.script.memory === text) return;
      text = mind.script.memory;
      const state = stateIn(text);
      if (state === null || state === last.current) return;
      seen = add(seen, last.current, state);
      last.current = state;
      show(seen);
    };
    lab.taps.add(tap);
    return () => void lab.taps.delete(tap);
  }, []);
  return shown;
}

function stateIn(memory: string): string | null {
  try {
    const state: unknown = (JSON.parse(memory) as { state?: unknown } | null)?.state;
    return typeof state === "string" && state.length <= 40 ? state : null;
  } catch {
    return null;
  }
}

function add(seen: Seen, from: string, to: string): Seen {
  if (!seen.states.includes(to) && seen.states.length >= STATES_MAX) return seen;
  const states = seen.states.includes(to) ? seen.states : [...seen.states, to];
  if (!from) return { ...seen, states };
  const ways = seen.ways.map((w) => (w.from === from && w.to === to ? { ...w, count: w.count + 1 } : w));
  const isKnown = ways.some((w) => w.from === from && w.to === to);
  return { states, ways: isKnown ? ways : [...ways, { from, to, count: 1 }] };
}

/** A machine file's machine, which takes events by hand. */
export function EventMachine({ machine, robot }: { machine: MachineStage; robot: number }) {
  const frame = useFrame();
  const mind = frame?.robots?.watched?.mind;
  const now = mind?.kind === "machine" ? mind.machine : null;
  const [numerator = 1, denominator = 20] = lab.stage.value?.step ?? [];
  const state = now ? machine.states[now.state] : undefined;
  const ways: Way[] = machine.transitions.map((t) => ({ from: t.from, to: t.to, label: t.event ? `▸ ${words(t.event)}` : t.cause, event: t.event ?? undefined }));
  const isPossible = (way: Way) => way.event === undefined || (now?.possible.includes(way.event) ?? false);
  const fire = async (event: string) => {
    await lab.ask({ do: "fire", robot, event });
    // Standing still, nothing would be seen of it.
    if (!lab.isPlaying.value) await lab.ask({ do: "step", ticks: 1 });
  };
  return (
    <section class="panel" aria-label="State machine">
      <h2>Current state: <span id="state-now">{state?.name ?? "–"}</span></h2>
      <p>
        {state?.about}{" "}
        {now && <span class="quiet">For {clock((now.ticks_in_state * numerator) / denominator)}.</span>}
      </p>
      <div class="row" role="group" aria-label="Events">
        {machine.events.map((event) => {
          const can = now?.possible.includes(event) ?? false;
          return (
            <button key={event} type="button" class={can ? "event can" : "event"} id={`fire-${event}`} title={can ? "A way out of the current state" : "No way out of the current state waits for this"} onClick={() => void fire(event)}>
              {words(event)}
            </button>
          );
        })}
      </div>
      <p class="quiet">Outlined events have a way out of the current state. The sensors take the other ways by themselves while it runs.</p>
      <Diagram states={machine.states} ways={ways} current={now?.state ?? null} isPossible={isPossible} />
      {now && now.values.length > 0 && (
        <details>
          <summary>Signals and memory</summary>
          <table>
            <tbody>
              {now.values.map((v) => <tr key={v.name}><th scope="row">{words(v.name)}</th><td class="n">{number(v.value, 3)}</td></tr>)}
            </tbody>
          </table>
        </details>
      )}
    </section>
  );
}
