// All signals on one time axis; the chosen node's is always among them.
import { useState } from "preact/hooks";
import { lab } from "../../lab";
import type { DynamicsStage } from "../../protocol";
import { Plot } from "../../ui/plot";

const KINDS = ["behaviour", "target", "percept", "sensor", "actuator", "mode"];

export function Signals({ stage, chosen }: { stage: DynamicsStage; chosen: number }) {
  const [shown, show] = useState(["behaviour", "target"]);
  const kinds = KINDS.filter((kind) => stage.nodes.some((n) => n.kind === kind));
  const node = stage.nodes[chosen];
  const key = `${lab.stage.value?.name} ${stage.signals.length}`;
  return (
    <section class="panel">
      <h2>Signals</h2>
      <div class="row small" role="group" aria-label="Kinds of signals shown">
        {kinds.map((kind) => (
          <label key={kind}>
            <input
              type="checkbox"
              checked={shown.includes(kind)}
              onChange={(e) => show(e.currentTarget.checked ? [...shown, kind] : shown.filter((k) => k !== kind))}
            />{" "}
            {kind}
          </label>
        ))}
      </div>
      <div id="signals">
        {kinds.filter((kind) => shown.includes(kind)).map((kind) => {
          const nodes = stage.nodes.filter((n) => n.kind === kind);
          return (
            <div key={kind}>
              <h3>{kind}</h3>
              <Plot
                label={`Signals of kind ${kind} over time`}
                names={nodes.map((n) => n.name)}
                read={(frame) => nodes.map((n) => frame.dynamics?.signals[n.signal])}
                reset={key}
                height={130}
                sync="dynamics"
              />
            </div>
          );
        })}
        {node && !shown.includes(node.kind) && (
          <div>
            <h3>{node.name}</h3>
            <Plot
              label={`${node.name} over time`}
              names={[node.name]}
              read={(frame) => [frame.dynamics?.signals[node.signal]]}
              reset={`${key} ${node.name}`}
              height={110}
              sync="dynamics"
            />
          </div>
        )}
      </div>
    </section>
  );
}
