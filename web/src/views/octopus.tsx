// Eight arms under one arbiter: command them, and see why they do what they do.
import { useState } from "preact/hooks";
import { lab } from "../lab";
import type { OctopusStage } from "../protocol";
import { useFrame } from "../ui/throttled";
import { ArmPanel } from "./octopus/arm";
import { Log } from "./octopus/log";
import { Objects } from "./octopus/objects";
import { Roster } from "./octopus/roster";
import { SceneCanvas } from "./octopus/scene";
import { useOctopusKeys } from "./octopus/keys";
import { Files } from "./world/files";

/** What a click in the scene does. */
export type Tool = "destination" | "move" | "food" | "obstacle" | "hazard";

export const TOOLS: { tool: Tool; title: string; key: string }[] = [
  { tool: "destination", title: "Destination", key: "e" },
  { tool: "move", title: "Select and move", key: "m" },
  { tool: "food", title: "Place food", key: "f" },
  { tool: "obstacle", title: "Place obstacle", key: "o" },
  { tool: "hazard", title: "Report hazard", key: "z" },
];

export default function OctopusView() {
  const stage = lab.stage.value?.octopus;
  if (!stage) return <p class="quiet">Load a scene: the list is above, under “Octopus”.</p>;
  return <Octopus stage={stage} />;
}

function Octopus({ stage }: { stage: OctopusStage }) {
  const [arm, chooseArm] = useState(1);
  const [tool, chooseTool] = useState<Tool>("destination");
  const [object, chooseObject] = useState<number | null>(null);
  const frame = useFrame()?.octopus ?? null;
  useOctopusKeys({ arm, chooseArm, tool, chooseTool, object });
  return (
    <div class="split">
      <div class="stack">
        <div class="row" role="toolbar" aria-label="What a click in the scene does">
          {TOOLS.map((t) => (
            <button key={t.tool} type="button" id={`tool-${t.tool}`} aria-pressed={tool === t.tool} title={`key ${t.key}`} onClick={() => chooseTool(t.tool)}>
              {t.title}
            </button>
          ))}
          <label>
            Law{" "}
            <select id="law" value={stage.law} onChange={(e) => void lab.ask({ do: "law", law: e.currentTarget.value })}>
              {stage.laws.map((law) => <option key={law} value={law}>{law}</option>)}
            </select>
          </label>
        </div>
        <SceneCanvas stage={stage} arm={arm} chooseArm={chooseArm} tool={tool} object={object} chooseObject={chooseObject} />
        <p class="quiet small">
          Keys: 1–8 or Tab in the scene choose an arm; x idle, r reset, t retract, g release, f food, o obstacle, e destination,
          m move, Delete removes the chosen object, space plays, n steps.
        </p>
        <Log frame={frame} />
      </div>
      <div class="stack">
        <ArmPanel stage={stage} frame={frame} arm={arm} />
        <Roster frame={frame} arm={arm} choose={chooseArm} />
        <Objects frame={frame} object={object} choose={chooseObject} />
        <Files />
      </div>
    </div>
  );
}
