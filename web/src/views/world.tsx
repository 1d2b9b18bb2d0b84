// The world: watch it, change it, save and share it.
import { useEffect } from "preact/hooks";
import { lab } from "../lab";
import { go } from "../route";
import { Console } from "./robot-lab/console";
import { Events } from "./world/events";
import { Files } from "./world/files";
import { Inspect } from "./world/inspect";
import { Legend } from "./world/legend";
import { Plane } from "./world/plane";
import { RobotsTable } from "./world/robots-table";
import { choose, sketch } from "./world/state";
import { pack } from "../ui/share";
import { number } from "../ui/text";
import { Toolbar } from "./world/toolbar";
import "./world/world.css";

/** What a script or a state machine of the watched robot says. */
function Program() {
  const mind = lab.stage.value?.robots?.robots[lab.watched.value]?.mind;
  if (mind?.kind !== "script" && mind?.kind !== "machine") return null;
  const script = mind.script?.text;
  return (
    <>
      <Console title="Console" empty="What its program prints, and changes of state, appear here." />
      {script && (
        <p>
          <button type="button" id="open-program" onClick={() => go("robot-lab", { program: pack({ text: script }) })}>
            Open its program in the robot lab
          </button>
        </p>
      )}
    </>
  );
}

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
        <Program />
        <Events />
      </div>
    </div>
  );
}
