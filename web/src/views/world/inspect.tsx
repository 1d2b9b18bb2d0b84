// The chosen thing: its place in numbers, its switch, and for a robot its channels.
import { lab } from "../../lab";
import type { Thing } from "../../protocol";
import { useFrame } from "../../ui/throttled";
import { number, words } from "../../ui/text";
import { Drive } from "./drive";
import { headingOf, isOn, nameOf, placeOf, selected } from "./state";

const DEGREES = 180 / Math.PI;

export function Inspect() {
  const thing = selected.value;
  const world = lab.stage.value?.robots;
  const frame = useFrame();
  const now = frame?.robots ?? null;
  if (!world) return null;
  const place = thing && placeOf(thing, world, now);
  const isThere = place || (thing?.kind === "light" && world.lights[thing.index]);
  if (!thing || !isThere) {
    return (
      <section class="panel" aria-label="Chosen thing">
        <h2>Nothing chosen</h2>
        <p class="quiet">Press a robot, a station, a light, a source, an obstacle or tape in the picture, or a robot in the table.</p>
      </section>
    );
  }
  const on = isOn(thing, now);
  return (
    <section class="panel" aria-label="Chosen thing">
      <h2 id="chosen">{nameOf(thing, world)}</h2>
      {place ? (
        <Place thing={thing} at={place} heading={headingOf(thing, world, now)} />
      ) : (
        <p class="quiet">It comes from everywhere.</p>
      )}
      {on !== null && (
        <p class="row">
          <button
            type="button"
            id="power"
            aria-pressed={on}
            onClick={() => void lab.ask({ do: "power", thing, is_on: !on })}
          >
            {on ? "Switch off" : "Switch on"}
          </button>
          <span class="quiet">It is {on ? "on" : "off"}.</span>
        </p>
      )}
      {thing.kind === "robot" && <Drive key={thing.index} robot={thing.index} />}
      {thing.kind === "robot" && <Readings robot={thing.index} />}
    </section>
  );
}

function Place({ thing, at, heading }: { thing: Thing; at: [number, number]; heading: number | null }) {
  const move = (x: number, y: number, turn: number | null) => {
    if (![x, y, turn ?? 0].every(Number.isFinite)) return;
    void lab.ask({ do: "move", thing, to: [x, y], heading_rad: turn });
  };
  const field = (label: string, value: number, unit: string, set: (value: number) => void) => (
    <label>
      {label}{" "}
      <input
        type="number"
        class="number"
        step="any"
        value={value.toFixed(unit === "m" ? 3 : 0)}
        onChange={(event) => set(event.currentTarget.valueAsNumber)}
      />{" "}
      {unit}
    </label>
  );
  return (
    <div class="row" role="group" aria-label="Place">
      {field("x", at[0], "m", (x) => move(x, at[1], heading))}
      {field("y", at[1], "m", (y) => move(at[0], y, heading))}
      {heading !== null && field("heading", heading * DEGREES, "°", (turn) => move(at[0], at[1], turn / DEGREES))}
    </div>
  );
}

function Readings({ robot }: { robot: number }) {
  const stage = lab.stage.value?.robots?.robots[robot];
  const frame = useFrame()?.robots?.robots[robot];
  if (!stage || !frame) return null;
  return (
    <details open>
      <summary>Sensors</summary>
      <div class="scroll short" tabIndex={0} role="region" aria-label="Readings of its sensors">
        <table>
          <thead><tr><th scope="col">channel</th><th scope="col" class="n">reading</th></tr></thead>
          <tbody>
            {stage.sensors.map((sensor, i) => (
              <tr key={sensor.name}>
                <th scope="row">{words(sensor.name)}</th>
                <td class="n">
                  {frame.sensors[i] === null ? <span class="quiet">none</span> : `${number(frame.sensors[i], 3)} ${sensor.unit}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {frame.odometry && (
        <p class="quiet">
          Odometry is {number(Math.hypot(frame.odometry[0] - frame.at[0], frame.odometry[1] - frame.at[1]) * 100, 1)} cm
          and {number(wrap(frame.odometry[2] - frame.heading_rad) * DEGREES, 1)}° off the truth (the dashed outline).
        </p>
      )}
    </details>
  );
}

function wrap(angle: number): number {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}
