// Why a node is as it is: the terms of its equation, largest first.
import type { DynamicsFrame, DynamicsStage } from "../../protocol";
import { number } from "../../ui/text";

interface Props {
  stage: DynamicsStage;
  frame: DynamicsFrame | null;
  node: number;
  choose(node: number): void;
}

export function Why({ stage, frame, node, choose }: Props) {
  const of = stage.nodes[node];
  if (!of) return null;
  const terms = (frame?.terms ?? []).filter((t) => t.node === node).sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const most = Math.max(1e-9, ...terms.map((t) => Math.abs(t.value)));
  return (
    <section class="panel" id="why">
      <h2>Why {of.name} is {number(frame?.signals[of.signal], 3)} {of.unit}</h2>
      <label class="row small">
        Node{" "}
        <select id="node" value={String(node)} onChange={(e) => choose(Number(e.currentTarget.value))}>
          {stage.nodes.map((n, i) => <option key={n.name} value={String(i)}>{n.name} ({n.kind})</option>)}
        </select>
      </label>
      {terms.length === 0 ? (
        <p class="quiet small">
          {of.kind === "behaviour" || of.kind === "target"
            ? "No term was evaluated in the last tick: press Step, or wait for its level's turn."
            : `A ${of.kind} has no terms; choose a behaviour or a target.`}
        </p>
      ) : (
        <table>
          <thead><tr><th>term</th><th>share</th><th class="n">adds</th></tr></thead>
          <tbody>
            {terms.map((term, i) => (
              <tr key={i}>
                <td><code>{term.text}</code></td>
                <td class="gauge-cell">
                  <svg class="gauge" aria-hidden="true">
                    <rect class={term.value < 0 ? "part-1" : "part-0"} y="3" height="10" width={`${(Math.abs(term.value) / most) * 100}%`} />
                  </svg>
                </td>
                <td class="n">{number(term.value, 4)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
