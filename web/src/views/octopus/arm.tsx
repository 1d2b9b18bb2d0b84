// One arm: its task, where to, and how it is built.
import { useEffect, useState } from "preact/hooks";
import { lab } from "../../lab";
import type { OctopusFrame, OctopusStage } from "../../protocol";
import { number } from "../../ui/text";
import { assign } from "./keys";

const LIMITS = {
  segments: { title: "Segments", unit: "", min: 2, max: 40, step: 1 },
  length: { title: "Segment length", unit: "px", min: 6, max: 30, step: 2 },
  bend_degrees: { title: "Largest bend", unit: "°", min: 5, max: 180, step: 5 },
  speed_degrees: { title: "Turning speed", unit: "°/s", min: 14.32, max: 229.18, step: 0.01 },
} as const;
type Key = keyof typeof LIMITS;

interface Props {
  stage: OctopusStage;
  frame: OctopusFrame | null;
  arm: number;
}

export function ArmPanel({ stage, frame, arm }: Props) {
  const built = stage.arms[arm - 1];
  const now = frame?.arms[arm - 1];
  const [x, setX] = useState("");
  const [y, setY] = useState("");
  const [values, setValues] = useState<Partial<Record<Key, string>>>({});
  useEffect(() => setValues({}), [arm, built?.segments, built?.length, built?.bend_rad, built?.speed_rad_s]);
  if (!built) return null;
  const degrees = (rad: number) => Number(((rad * 180) / Math.PI).toFixed(2));
  const present: Record<Key, number> = {
    segments: built.segments,
    length: built.length,
    bend_degrees: degrees(built.bend_rad),
    speed_degrees: degrees(built.speed_rad_s),
  };
  const apply = () => {
    const changed = Object.fromEntries(
      Object.entries(values).filter(([, v]) => v !== undefined && v !== "").map(([key, v]) => {
        const { min, max } = LIMITS[key as Key];
        return [key, Math.min(Math.max(Number(v), min), max)];
      }),
    );
    assign(arm, { task: "reset", ...changed });
    setValues({});
  };
  const send = () => {
    const at: [number, number] = [Number(x), Number(y)];
    if (x === "" || y === "" || !at.every(Number.isFinite)) lab.notify("error", "A destination needs two numbers, x and y in px.");
    else assign(arm, { task: "reach", at });
  };
  const isHolding = now?.held !== null && now?.held !== undefined;
  const sensors = built.sensors.map((s) => `${s.count} ${s.kind}`).join(", ");
  return (
    <section class="panel" id="arm">
      <h2>Arm {arm}</h2>
      <p class="small">
        <strong>{now?.state ?? "–"}</strong>
        {now?.distance !== null && now?.distance !== undefined && (
          <> · {number(now.distance, 1)} px to go{now.is_beyond_reach ? ", beyond reach" : ""}</>
        )}
        {now?.held !== null && now?.held !== undefined && <> · holds object {now.held}</>}
        {sensors && <span class="quiet"> · sensors: {sensors}</span>}
      </p>
      <div class="row">
        <button type="button" onClick={() => assign(arm, { task: "idle" })}>Idle</button>
        <button type="button" disabled={!isHolding} title="Bring what it holds home" onClick={() => assign(arm, { task: "retract" })}>Retract</button>
        <button type="button" disabled={!isHolding} onClick={() => assign(arm, { task: "release" })}>Release</button>
        <button type="button" onClick={() => assign(arm, { task: "reset" })}>Reset</button>
        <label>
          <span class="hidden">Hand over to</span>
          <select
            value=""
            aria-label="Hand what it holds over to"
            disabled={!isHolding}
            onChange={(e) => void lab.ask({ do: "hand_over", from: arm, to: Number(e.currentTarget.value) })}
          >
            <option value="">Hand over to…</option>
            {stage.arms.filter((a) => a.number !== arm).map((a) => <option key={a.number} value={String(a.number)}>arm {a.number}</option>)}
          </select>
        </label>
      </div>
      <h3>Destination</h3>
      <form class="row" onSubmit={(e) => (e.preventDefault(), send())}>
        <label>x <input id="to-x" type="number" step="any" value={x} onInput={(e) => setX(e.currentTarget.value)} /></label>
        <label>y <input id="to-y" type="number" step="any" value={y} onInput={(e) => setY(e.currentTarget.value)} /></label>
        <button type="submit" id="send">Reach</button>
      </form>
      <h3>Build</h3>
      <form onSubmit={(e) => (e.preventDefault(), apply())}>
        {(Object.keys(LIMITS) as Key[]).map((key) => {
          const { title, unit, min, max, step } = LIMITS[key];
          return (
            <label key={key} class="row small">
              <span class="grow">{title}{unit ? ` (${unit})` : ""}, {min} to {max}</span>
              <input
                type="number"
                min={min}
                max={max}
                step={step}
                value={values[key] ?? String(present[key])}
                onInput={(e) => setValues({ ...values, [key]: e.currentTarget.value })}
              />
            </label>
          );
        })}
        <button type="submit">Apply and reset the arm</button>
      </form>
    </section>
  );
}
