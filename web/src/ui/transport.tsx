// Load, play, pause, step, speed, reset, seek: the same for every table.
import { useEffect, useState } from "preact/hooks";
import { lab } from "../lab";
import { clock } from "./text";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 50, 200];

export function Transport() {
  const stage = lab.stage.value;
  const frame = lab.frame.value;
  useKeys();
  const kinds = [["robots", "Robots"], ["dynamics", "Networks"], ["octopus", "Octopus"]] as const;
  return (
    <div class="transport" role="toolbar" aria-label="Run">
      <label>
        <span class="hidden">Load</span>
        <select
          id="load"
          value={stage?.name ?? ""}
          onChange={(event) => {
            const name = event.currentTarget.value;
            void lab.ask({ do: "load", source: { from: "built_in", name } });
          }}
        >
          {!lab.entries.value.some((e) => e.name === stage?.name) && (
            <option value={stage?.name ?? ""}>{stage?.name ?? "nothing loaded"}</option>
          )}
          {kinds.map(([kind, title]) => (
            <optgroup key={kind} label={title}>
              {lab.entries.value.filter((e) => e.kind === kind).map((e) => (
                <option key={e.name} value={e.name} title={e.about}>{e.name}</option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <button
        type="button"
        id="play"
        class="primary"
        aria-pressed={lab.isPlaying.value}
        title="Space"
        onClick={playOrPause}
      >
        {lab.isPlaying.value ? "Pause" : "Play"}
      </button>
      <button type="button" id="step" title="n" onClick={() => step(1)}>Step</button>
      <button type="button" title="One second of simulated time" onClick={() => step(second())}>+1 s</button>
      <button type="button" id="back" title="b: one tick back" disabled={!frame?.tick} onClick={back}>Back</button>
      <button type="button" id="reset" title="Everything to its beginning" onClick={() => void lab.ask({ do: "reset", what: "whole" })}>
        Reset
      </button>
      <label>
        Speed{" "}
        <select
          id="speed"
          value={String(frame?.speed ?? 1)}
          onChange={(event) => void lab.ask({ do: "speed", factor: Number(event.currentTarget.value) })}
        >
          {[...new Set([...SPEEDS, frame?.speed ?? 1])].sort((a, b) => a - b).map((speed) => (
            <option key={speed} value={String(speed)}>{speed} ×</option>
          ))}
        </select>
      </label>
      <Seek />
      <output id="clock" aria-label="Simulated time">
        {frame ? `${clock(frame.time_s)} · tick ${frame.tick}` : "–"}
      </output>
    </div>
  );
}

/** Goes to any tick that was already reached. */
function Seek() {
  const stage = lab.stage.value;
  const tick = lab.frame.value?.tick ?? 0;
  const [reached, setReached] = useState(0);
  const last = Math.max(reached, stage?.ticks ?? 0, tick);
  useEffect(() => setReached(0), [stage?.name, stage?.seed]);
  useEffect(() => setReached((r) => Math.max(r, tick)), [tick]);
  return (
    <input
      id="seek"
      type="range"
      min={0}
      max={Math.max(last, 1)}
      value={tick}
      disabled={!stage || last === 0}
      aria-label="Go to tick"
      aria-valuetext={`tick ${tick} of ${last}`}
      onChange={(event) => void lab.ask({ do: "seek", tick: Number(event.currentTarget.value) })}
    />
  );
}

function second(): number {
  const [numerator = 1, denominator = 20] = lab.stage.value?.step ?? [];
  return Math.max(1, Math.round(denominator / numerator));
}

export function playOrPause(): void {
  void lab.ask({ do: lab.isPlaying.value ? "pause" : "play" });
}

function step(ticks: number): void {
  void lab.ask({ do: "step", ticks });
}

async function back(): Promise<void> {
  const tick = lab.frame.value?.tick ?? 0;
  if (lab.isPlaying.value) await lab.ask({ do: "pause" });
  if (tick > 0) await lab.ask({ do: "seek", tick: tick - 1 });
}

/** True where a key press belongs to a field, not to the page. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT", "BUTTON", "A"].includes(target.tagName));
}

function useKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === " ") playOrPause();
      else if (event.key === "n") step(1);
      else if (event.key === "b") void back();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
