// The network as a graph by level; the bar in a box is its value. Nodes of one array, such as the
// ranges of many rays, are one box with a bar for each.
import { useMemo } from "preact/hooks";
import type { DynamicsFrame, DynamicsStage } from "../../protocol";
import { number } from "../../ui/text";
import { HEIGHT, layout, type Box } from "./layout";

interface Props {
  stage: DynamicsStage;
  frame: DynamicsFrame | null;
  chosen: number;
  choose(node: number): void;
}

/** The node of a box that is farthest from 0. */
function strongest(box: Box, values: (number | null)[]): number {
  const size = (i: number) => Math.abs(values[i] ?? 0);
  return box.nodes.reduce((best, i) => (size(i) > size(best) ? i : best), box.nodes[0]!);
}

export function Graph({ stage, frame, chosen, choose }: Props) {
  const { boxes, boxOf, lines, bands, boxWidth, width, height } = useMemo(() => layout(stage), [stage]);
  const values = stage.nodes.map((node) => frame?.signals[node.signal] ?? null);
  const isNear = (line: { from: number; to: number }) => line.from === boxOf[chosen] || line.to === boxOf[chosen];
  return (
    <section class="panel">
      <h2>Network</h2>
      <p class="quiet small">
        {stage.levels.map((l) => `${l.name} every ${l.every_ticks === 1 ? "tick" : `${l.every_ticks} ticks`}`).join("; ")}.
        From the left: sensed, perceived, behaviours, what they want, what is driven. Choose a node to see why it is as it is.
      </p>
      <div class="scroll graph-box" tabIndex={0} role="region" aria-label="Graph of the network">
        <svg id="graph" class="graph" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label="Nodes">
          <defs>
            <marker id="tip" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto">
              <path d="M0 0L6 3L0 6z" />
            </marker>
          </defs>
          {bands.map((band) => (
            <g key={band.name}>
              <rect class="band" x="0.5" y={band.y + 0.5} width={width - 1} height={band.height - 1} rx="8" />
              <text class="quiet" x="8" y={band.y + 13}>{band.name}</text>
            </g>
          ))}
          {[...lines].sort((a, b) => Number(isNear(a)) - Number(isNear(b))).map((line) => (
            <path key={`${line.from} ${line.to}`} class={isNear(line) ? "edge near" : "edge"} d={line.path} marker-end="url(#tip)" />
          ))}
          {boxes.map((box, i) => {
            const top = strongest(box, values);
            const shown = i === boxOf[chosen] ? chosen : top;
            const node = stage.nodes[shown]!;
            const index = box.nodes.length > 1 ? `[${box.nodes.indexOf(shown)}] ` : "";
            const label = `${index}${number(values[shown] ?? null, 3)} ${node.unit}`.trim();
            return (
              <g
                key={box.name}
                class={`node ${node.kind} ${i === boxOf[chosen] ? "chosen" : ""}`}
                transform={`translate(${box.x} ${box.y})`}
                role="button"
                tabIndex={0}
                aria-pressed={i === boxOf[chosen]}
                aria-label={`${box.name} ${label}, ${node.kind}`}
                onClick={() => choose(top)}
                onKeyDown={(e) => {
                  if (e.key !== "Enter" && e.key !== " ") return;
                  e.preventDefault();
                  choose(top);
                }}
              >
                <rect class="box" width={boxWidth} height={HEIGHT} rx="7" />
                {box.nodes.map((of, k) => <Bar key={k} value={values[of] ?? null} at={k} count={box.nodes.length} width={boxWidth} />)}
                <text x="8" y="13">{box.name}</text>{" "}
                <text class="quiet" x="8" y="25">{label}</text>
              </g>
            );
          })}
        </svg>
      </div>
    </section>
  );
}

/** A bar to the right for one node; short ones upwards for an array. */
function Bar({ value, at, count, width }: { value: number | null; at: number; count: number; width: number }) {
  const share = value === null ? 0 : Math.min(Math.abs(value), 1);
  const sign = value !== null && value < 0 ? "fill minus" : "fill";
  if (count === 1) return <rect class={sign} x="6" y={HEIGHT - 8} width={(width - 12) * share} height="4" />;
  const each = (width - 12) / count;
  return <rect class={sign} x={6 + at * each} y={HEIGHT - 3 - 8 * share} width={Math.max(each - 1, 0.5)} height={8 * share} />;
}
