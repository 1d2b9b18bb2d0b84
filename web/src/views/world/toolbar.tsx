// Tools, layers and resets above the drawing.
import { lab } from "../../lab";
import { type Tool, choose, isFollowing, layers, selected, sketch, tool } from "./state";
import { endTape, removeSelected } from "./tools";

const TOOLS: [Tool, string, string][] = [
  ["select", "Select", "Press a thing to choose it, drag it to move it; drag the floor to move the picture."],
  ["wall", "Wall", "Drag from one end of the wall to the other, or press Enter for one in the middle of the picture."],
  ["tape", "Tape", "Press at every corner of the tape; Enter or a second press on the last corner ends it."],
  ["disc", "Disc", "Drag from the middle to the rim, or press Enter for one in the middle of the picture."],
  ["box", "Box", "Drag from corner to corner, or press Enter for one in the middle of the picture."],
  ["beacon", "Beacon", "Press where the beacon goes, or press Enter for one in the middle of the picture."],
  ["lamp", "Lamp", "Press where the lamp hangs, or press Enter for one in the middle of the picture."],
  ["window", "Window", "Press where the window is: it lights the room from the nearest side; Enter puts one on top."],
  ["warmth", "Warmth", "Press where it is warm, or press Enter for a source in the middle of the picture."],
  ["gas", "Gas", "Press where something smells, or press Enter for a source in the middle of the picture."],
  ["station", "Station", "Press where robots are to charge, or press Enter for a station in the middle of the picture."],
];

const LAYERS: [keyof typeof layers, string][] = [
  ["rays", "rays"], ["trails", "trails"], ["odometry", "odometry"], ["radio", "radio"], ["fields", "light and fields"],
];

export function Toolbar() {
  const stage = lab.stage.value;
  const chosen = selected.value;
  const hint = TOOLS.find(([name]) => name === tool.value)?.[2];
  const isTaping = sketch.value?.kind === "tape";
  return (
    <div class="stack tools">
      <div class="row" role="toolbar" aria-label="Tools">
        {TOOLS.map(([name, title, about]) => (
          <button
            key={name}
            type="button"
            id={`tool-${name}`}
            title={about}
            aria-pressed={tool.value === name}
            disabled={stage?.is_recording && name !== "select"}
            onClick={() => {
              sketch.value = null;
              tool.value = name;
            }}
          >
            {title}
          </button>
        ))}
        {isTaping && <button type="button" id="end-tape" onClick={endTape}>End tape</button>}
        <button
          type="button"
          id="remove"
          disabled={!chosen || chosen.kind === "robot" || stage?.is_recording}
          onClick={() => void removeSelected()}
        >
          Remove
        </button>
        <span class="gap" />
        <button type="button" id="follow" aria-pressed={isFollowing.value} onClick={toggleFollow}>Follow</button>
        <span class="gap" />
        <Resets />
      </div>
      <div class="row quiet" role="group" aria-label="Show">
        <span>Show</span>
        {LAYERS.map(([name, title]) => (
          <label key={name}>
            <input
              type="checkbox"
              id={`show-${name}`}
              checked={layers[name].value}
              onChange={(event) => (layers[name].value = event.currentTarget.checked)}
            />{" "}
            {title}
          </label>
        ))}
        <span class="hint" id="tool-hint">{hint}</span>
      </div>
    </div>
  );
}

function toggleFollow(): void {
  isFollowing.value = !isFollowing.value;
  if (isFollowing.value && selected.value?.kind !== "robot") choose({ kind: "robot", index: lab.watched.value });
}

function Resets() {
  const robot = lab.watched.value;
  const name = lab.stage.value?.robots?.robots[robot]?.name ?? "robot";
  return (
    <>
      <span class="quiet">Reset</span>
      <button type="button" id="reset-robot" title="A newborn mind at its start pose; the rest goes on"
        onClick={() => void lab.ask({ do: "reset", what: "robot", robot })}>{name}</button>
      <button type="button" id="reset-world" title="Poses, batteries and the room as loaded; minds keep what they learned"
        onClick={() => void lab.ask({ do: "reset", what: "world" })}>world</button>
      <button type="button" id="reset-whole" title="Tick 0: newborn minds, the world as loaded"
        onClick={() => void lab.ask({ do: "reset", what: "whole" })}>everything</button>
    </>
  );
}
