// Drives a robot's actuators by hand; its mind has them back three seconds after the last time.
import { useEffect, useRef, useState } from "preact/hooks";
import { lab } from "../../lab";
import type { ActuatorStage } from "../../protocol";
import { useFrame } from "../../ui/throttled";
import { number, words } from "../../ui/text";
import { Mover } from "./mover";

/** Seconds of simulated time until the mind has an actuator back. */
const BACK_OFF_S = 3;

export function Drive({ robot }: { robot: number }) {
  const stage = lab.stage.value?.robots?.robots[robot];
  const frame = useFrame();
  const movers = useRef(new Map<string, Mover>());
  const [driven, setDriven] = useState<Record<string, { at: number; value: number }>>({});
  const [isHeld, hold] = useState(false);
  const now = frame?.time_s ?? 0;

  const drive = (actuator: string, value: number) => {
    const mover = movers.current.get(actuator) ?? new Mover();
    movers.current.set(actuator, mover);
    mover.ask({ do: "drive", robot, actuator, value });
    const at = lab.frame.peek()?.time_s ?? 0;
    setDriven((before) => ({ ...before, [actuator]: { at, value } }));
  };
  useEffect(() => {
    if (!isHeld) return;
    for (const [name, { at, value }] of Object.entries(driven)) {
      if (now - at > BACK_OFF_S / 2) drive(name, value);
    }
  }, [now, isHeld]);

  const its = frame?.robots?.robots[robot];
  if (!stage || !its || lab.stage.value?.is_recording) return null;
  const isManual = (i: number) => (its.manual & (1 << i)) !== 0;
  const left = (name: string) => Math.min(Math.max(BACK_OFF_S - (now - (driven[name]?.at ?? -9)), 0), BACK_OFF_S);
  return (
    <details open>
      <summary>Drive by hand</summary>
      <Pad actuators={stage.actuators} drive={drive} />
      {stage.actuators.map((actuator, i) => (
        <div class="drive" key={actuator.name}>
          <label for={`drive-${actuator.name}`}>{words(actuator.name)}</label>
          <input
            id={`drive-${actuator.name}`}
            type="range"
            min={actuator.min}
            max={actuator.max}
            step={(actuator.max - actuator.min) / 100}
            value={isManual(i) ? (driven[actuator.name]?.value ?? its.actuators[i]) : its.actuators[i]}
            onInput={(event) => drive(actuator.name, event.currentTarget.valueAsNumber)}
          />
          <output>{number(its.actuators[i])}</output>
          <span class={isManual(i) ? "by-hand" : "quiet"}>
            {isManual(i) ? `by hand, ${number(left(actuator.name), 1)} s left` : (its.tripped & (1 << i)) !== 0 ? "resting for safety" : "its mind"}
          </span>
        </div>
      ))}
      <label class="check">
        <input type="checkbox" id="hold" checked={isHeld} onChange={(event) => hold(event.currentTarget.checked)} />
        <span>Hold what I set; without this its mind has the actuator back after 3 s</span>
      </label>
    </details>
  );
}

/** Both wheels at once, for bodies that have a left and a right one. */
function Pad({ actuators, drive }: { actuators: ActuatorStage[]; drive(name: string, value: number): void }) {
  const [left, right] = ["left", "right"].map((side) => actuators.find((a) => a.name.endsWith(side)));
  if (!left || !right) return null;
  const go = (l: number, r: number) => () => {
    drive(left.name, l * left.max);
    drive(right.name, r * right.max);
  };
  return (
    <div class="row pad" role="group" aria-label="Both wheels">
      <button type="button" onClick={go(-0.5, 0.5)}>Turn left</button>
      <button type="button" id="drive-ahead" onClick={go(0.7, 0.7)}>Ahead</button>
      <button type="button" onClick={go(0.5, -0.5)}>Turn right</button>
      <button type="button" onClick={go(-0.5, -0.5)}>Back</button>
      <button type="button" onClick={go(0, 0)}>Halt</button>
    </div>
  );
}
