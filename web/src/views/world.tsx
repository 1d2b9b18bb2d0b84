// The world: watch it, change it, save and share it.
import { useEffect } from "preact/hooks";
import { lab } from "../lab";
import { Events } from "./world/events";
import { Files } from "./world/files";
import { Inspect } from "./world/inspect";
import { Legend } from "./world/legend";
import { Plane } from "./world/plane";
import { RobotsTable } from "./world/robots-table";
import { choose, sketch } from "./world/state";
import { number } from "../ui/text";
import { Toolbar } from "./world/toolbar";
import "./world/world.css";

export default function World() {
  const stage = lab.stage.value;
  const name = stage?.name;
  useEffect(() => {
    sketch.value = null;
    choose(name ? { kind: "robot", index: 0 } : null);
  }, [name]);
  if (!stage?.robots) return <p class="quiet">Load a world of robots above.</p>;
  return (
    <div class="split">
      <div class="stack">
        <Toolbar />
        <Plane isEditable={!stage.is_recording} />
        <Legend />
        <RobotsTable />
      </div>
      <div class="stack">
        <section class="panel" aria-label="About">
          <h2>{stage.name}</h2>
          <p class="about">{stage.about}</p>
          <p class="quiet">Seed {stage.seed} · {number(stage.step[1] / stage.step[0], 0)} ticks per second of simulated time{stage.is_recording ? " · a recording" : ""}</p>
        </section>
        <Inspect />
        <Files />
        <Events />
      </div>
    </div>
  );
}
