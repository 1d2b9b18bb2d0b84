// Food and obstacles by number: for hands that do not use a pointer.
import { useState } from "preact/hooks";
import { lab } from "../../lab";
import type { OctopusFrame } from "../../protocol";
import { number } from "../../ui/text";
import { remove } from "./keys";

interface Props {
  frame: OctopusFrame | null;
  object: number | null;
  choose(object: number | null): void;
}

export function Objects({ frame, object, choose }: Props) {
  const [x, setX] = useState("0");
  const [y, setY] = useState("0");
  const [radius, setRadius] = useState("14");
  const at = (): [number, number] => [Number(x), Number(y)];
  const add = (kind: "food" | "obstacle") => void lab.ask({ do: "add", thing: { kind, at: at(), radius: Number(radius) } });
  const chosen = frame?.objects.find((o) => o.id === object);
  const move = () =>
    chosen && void lab.ask({ do: "move", thing: { kind: chosen.is_food ? "food" : "obstacle", index: chosen.id }, to: at() });
  return (
    <section class="panel">
      <h2>Objects</h2>
      <label class="row small">
        Object{" "}
        <select id="object" value={object === null ? "" : String(object)} onChange={(e) => choose(e.currentTarget.value === "" ? null : Number(e.currentTarget.value))}>
          <option value="">none</option>
          {frame?.objects.map((o) => (
            <option key={o.id} value={String(o.id)}>
              {o.is_food ? "food" : "obstacle"} {o.id} at {number(o.at[0], 0)}, {number(o.at[1], 0)}{o.holder ? `, held by arm ${o.holder}` : ""}
            </option>
          ))}
        </select>
      </label>
      <div class="row small">
        <label>x <input id="object-x" type="number" step="any" value={x} onInput={(e) => setX(e.currentTarget.value)} /></label>
        <label>y <input id="object-y" type="number" step="any" value={y} onInput={(e) => setY(e.currentTarget.value)} /></label>
        <label>radius <input type="number" step="any" min="1" value={radius} onInput={(e) => setRadius(e.currentTarget.value)} /></label>
      </div>
      <div class="row">
        <button type="button" id="add-food" onClick={() => add("food")}>Add food</button>
        <button type="button" id="add-obstacle" onClick={() => add("obstacle")}>Add obstacle</button>
        <button type="button" disabled={!chosen} onClick={move}>Move</button>
        <button type="button" disabled={!chosen} onClick={() => remove(object)}>Delete</button>
      </div>
    </section>
  );
}
