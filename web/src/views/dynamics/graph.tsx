// The network as a graph: a row per level, highest on top; the bar in a node is its value.
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

/** Rank from the bottom: what is sensed, what is perceived, what is done, then level by level. */
function layout(stage: DynamicsStage) {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "BT", nodesep: 16, ranksep: 46, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  stage.nodes.forEach((_, i) => graph.setNode(String(i), { width: WIDTH, height: HEIGHT }));
  for (const { from, to } of stage.edges) if (from !== to) graph.setEdge(String(from), String(to));
  dagre.layout(graph);
  const places = stage.nodes.map((_, i) => graph.node(String(i)) as { x: number; y: number });
  const lines = stage.edges.filter((e) => e.from !== e.to).map((edge) => {
    const { points } = graph.edge(String(edge.from), String(edge.to)) as { points: { x: number; y: number }[] };
    return { edge, path: points.map((p, i) => `${i ? "L" : "M"}${p.x} ${p.y}`).join(" ") };
  });
  const { width = 400, height = 200 } = graph.graph();
  return { places, lines, width, height };
}

export function Graph({ stage, frame, chosen, choose }: Props) {
  const { places, lines, width, height } = useMemo(() => layout(stage), [stage]);
  return (
    <section class="panel">
      <h2>Network</h2>
      <p class="quiet small">
        {stage.levels.map((l) => `${l.name} every ${l.every_ticks === 1 ? "tick" : `${l.every_ticks} ticks`}`).join("; ")}.
        Choose a node to see why it is as it is.
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Graph of the network">
        <svg id="graph" class="graph" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group">
          <defs>
            <marker id="tip" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="6" markerHeight="6" orient="auto">
              <path d="M0 0L6 3L0 6z" />
            </marker>
          </defs>
          {lines.map(({ edge, path }) => (
            <path
              key={`${edge.from} ${edge.to}`}
              class={edge.from === chosen || edge.to === chosen ? "edge near" : "edge"}
              d={path}
              marker-end="url(#tip)"
            />
          ))}
          {stage.nodes.map((node, i) => {
            const place = places[i];
            if (!place) return null;
            const value = frame?.signals[node.signal] ?? null;
            const share = value === null ? 0 : Math.min(Math.abs(value), 1);
            return (
              <g
                key={node.name}
                class={`node ${node.kind} ${i === chosen ? "chosen" : ""}`}
                transform={`translate(${place.x - WIDTH / 2} ${place.y - HEIGHT / 2})`}
                role="button"
                tabIndex={0}
                aria-pressed={i === chosen}
                aria-label={`${node.kind} ${node.name}, ${number(value)} ${node.unit}`}
                onClick={() => choose(i)}
                onKeyDown={(e) => {
                  if (e.key !== "Enter" && e.key !== " ") return;
                  e.preventDefault();
                  choose(i);
                }}
              >
                <rect class="box" width={WIDTH} height={HEIGHT} rx="7" />
                <rect class={value !== null && value < 0 ? "fill minus" : "fill"} x="6" y={HEIGHT - 8} width={(WIDTH - 12) * share} height="4" />
                <text x="8" y="15">{node.name.slice(0, 20)}</text>
                <text class="quiet" x="8" y="28">{number(value, 3)} {node.unit}</text>
              </g>
            );
          })}
        </svg>
      </div>
    </section>
  );
}
