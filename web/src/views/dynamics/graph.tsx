// The network as a graph: what is sensed below, what it drives above; the bar in a node is its value.
// Nodes of one array, such as the ranges of many rays, are one box with a bar for each.
import dagre from "@dagrejs/dagre";
import { useMemo } from "preact/hooks";
import type { DynamicsFrame, DynamicsStage } from "../../protocol";
import { number } from "../../ui/text";

const WIDTH = 132;
const HEIGHT = 40;

interface Props {
  stage: DynamicsStage;
  frame: DynamicsFrame | null;
  chosen: number;
  choose(node: number): void;
}

/** One box: a node, or all of an array. */
interface Box {
  name: string;
  nodes: number[];
}

/** `L0.rays[3]` belongs to the box `L0.rays`. */
function boxesOf(stage: DynamicsStage): { boxes: Box[]; boxOf: number[] } {
  const found = new Map<string, number>();
  const boxes: Box[] = [];
  const boxOf = stage.nodes.map(({ name }, i) => {
    const stem = name.replace(/\[\d+\]$/, "");
    const key = stem === name ? `${i}` : stem;
    const at = found.get(key) ?? boxes.push({ name: stem, nodes: [] }) - 1;
    found.set(key, at);
    boxes[at]!.nodes.push(i);
    return at;
  });
  for (const box of boxes) if (box.nodes.length > 1) box.name += `[0…${box.nodes.length - 1}]`;
  return { boxes, boxOf };
}

function layout(stage: DynamicsStage) {
  const { boxes, boxOf } = boxesOf(stage);
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "BT", nodesep: 12, ranksep: 40, marginx: 4, marginy: 4 });
  graph.setDefaultEdgeLabel(() => ({}));
  boxes.forEach((_, i) => graph.setNode(String(i), { width: WIDTH, height: HEIGHT }));
  const edges = new Map<string, { from: number; to: number }>();
  for (const edge of stage.edges) {
    const [from, to] = [boxOf[edge.from]!, boxOf[edge.to]!];
    if (from === to) continue;
    edges.set(`${from} ${to}`, { from, to });
    graph.setEdge(String(from), String(to));
  }
  dagre.layout(graph);
  const places = boxes.map((_, i) => graph.node(String(i)) as { x: number; y: number });
  const lines = [...edges.values()].map(({ from, to }) => {
    const { points } = graph.edge(String(from), String(to)) as { points: { x: number; y: number }[] };
    return { from, to, path: points.map((p, i) => `${i ? "L" : "M"}${p.x} ${p.y}`).join(" ") };
  });
  const { width = 400, height = 200 } = graph.graph();
  return { boxes, boxOf, places, lines, width, height };
}

/** The node of a box that is farthest from 0. */
function strongest(box: Box, values: (number | null)[]): number {
  const size = (i: number) => Math.abs(values[i] ?? 0);
  return box.nodes.reduce((best, i) => (size(i) > size(best) ? i : best), box.nodes[0]!);
}

export function Graph({ stage, frame, chosen, choose }: Props) {
  const { boxes, boxOf, places, lines, width, height } = useMemo(() => layout(stage), [stage]);
  const values = stage.nodes.map((node) => frame?.signals[node.signal] ?? null);
  return (
    <section class="panel">
      <h2>Network</h2>
      <p class="quiet small">
        {stage.levels.map((l) => `${l.name} every ${l.every_ticks === 1 ? "tick" : `${l.every_ticks} ticks`}`).join("; ")}.
        Choose a node to see why it is as it is.
      </p>
      <div class="scroll graph-box" tabIndex={0} role="region" aria-label="Graph of the network">
        <svg id="graph" class="graph" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label="Nodes">
          <defs>
            <marker id="tip" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="6" markerHeight="6" orient="auto">
              <path d="M0 0L6 3L0 6z" />
            </marker>
          </defs>
          {lines.map(({ from, to, path }) => (
            <path
              key={`${from} ${to}`}
              class={from === boxOf[chosen] || to === boxOf[chosen] ? "edge near" : "edge"}
              d={path}
              marker-end="url(#tip)"
            />
          ))}
          {boxes.map((box, i) => {
            const place = places[i];
            if (!place) return null;
            const top = strongest(box, values);
            const node = stage.nodes[top]!;
            const isChosen = i === boxOf[chosen];
            const shown = box.nodes.length > 1 && !isChosen ? top : isChosen ? chosen : top;
            const label = `${number(values[shown] ?? null, 3)} ${stage.nodes[shown]!.unit}`;
            return (
              <g
                key={box.name}
                class={`node ${node.kind} ${isChosen ? "chosen" : ""}`}
                transform={`translate(${place.x - WIDTH / 2} ${place.y - HEIGHT / 2})`}
                role="button"
                tabIndex={0}
                aria-pressed={isChosen}
                aria-label={`${node.kind} ${box.name}, ${label}`}
                onClick={() => choose(top)}
                onKeyDown={(e) => {
                  if (e.key !== "Enter" && e.key !== " ") return;
                  e.preventDefault();
                  choose(top);
                }}
              >
                <title>{`${node.kind} ${box.name}`}</title>
                <rect class="box" width={WIDTH} height={HEIGHT} rx="7" />
                {box.nodes.map((of, k) => <Bar key={k} value={values[of] ?? null} at={k} count={box.nodes.length} />)}
                <text x="8" y="14">{box.name.slice(0, 20)}</text>
                <text class="quiet" x="8" y="27">{label}{box.nodes.length > 1 ? ` [${box.nodes.indexOf(shown)}]` : ""}</text>
              </g>
            );
          })}
        </svg>
      </div>
    </section>
  );
}

/** A bar to the right for one node; short ones upwards for an array. */
function Bar({ value, at, count }: { value: number | null; at: number; count: number }) {
  const share = value === null ? 0 : Math.min(Math.abs(value), 1);
  const sign = value !== null && value < 0 ? "fill minus" : "fill";
  if (count === 1) return <rect class={sign} x="6" y={HEIGHT - 9} width={(WIDTH - 12) * share} height="4" />;
  const each = (WIDTH - 12) / count;
  return <rect class={sign} x={6 + at * each} y={HEIGHT - 3 - 8 * share} width={Math.max(each - 1, 0.5)} height={8 * share} />;
}
