// A behaviour network: its graph, its signals, why each is as it is, and its file.
import { useEffect, useState } from "preact/hooks";
import { lab } from "../lab";
import type { DynamicsStage } from "../protocol";
import { useFrame } from "../ui/throttled";
import { Graph } from "./dynamics/graph";
import { Modes } from "./dynamics/modes";
import { SceneView } from "./dynamics/scene";
import { Signals } from "./dynamics/signals";
import { SpecEditor } from "./dynamics/spec";
import { Why } from "./dynamics/why";

const VIEW = {};

export default function DynamicsView() {
  useEffect(() => {
    lab.want(VIEW, ["terms"]);
    return () => lab.want(VIEW, null);
  }, []);
  const stage = lab.stage.value?.dynamics;
  if (!stage) return <p class="quiet">Load a network: the list is above, under “Networks”.</p>;
  return <Network stage={stage} />;
}

function Network({ stage }: { stage: DynamicsStage }) {
  const frame = useFrame()?.dynamics ?? null;
  const [chosen, choose] = useState(() => first(stage));
  const node = stage.nodes[chosen] ? chosen : first(stage);
  return (
    <div class="stack">
      <div class="split wide-left">
        <Graph stage={stage} frame={frame} chosen={node} choose={choose} />
        <div class="stack">
          <SceneView stage={stage} />
          <Why stage={stage} frame={frame} node={node} choose={choose} />
          <Modes stage={stage} frame={frame} />
        </div>
      </div>
      <Signals stage={stage} chosen={node} />
      <SpecEditor stage={stage} line={stage.nodes[node]?.line ?? 0} isWaiting={frame?.is_edit_waiting ?? false} />
    </div>
  );
}

/** The first behaviour: what one looks at first. */
function first(stage: DynamicsStage): number {
  return Math.max(0, stage.nodes.findIndex((n) => n.kind === "behaviour"));
}
