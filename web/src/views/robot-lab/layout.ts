// Places the states of a machine and the ways between them.
import { graphlib, layout } from "@dagrejs/dagre";

export interface DrawnState {
  name: string;
  about: string;
}

export interface Way {
  from: number;
  to: number;
  /** What takes it, in words. */
  label: string;
  event?: string | undefined;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** All ways between the same two states, drawn as one line. */
export interface Line {
  from: number;
  to: number;
  ways: Way[];
  path: string;
  at: { x: number; y: number };
  lines: string[];
}

export interface Picture {
  width: number;
  height: number;
  boxes: Box[];
  lines: Line[];
}

const LETTER = 6.6;
const LINE_HEIGHT = 14;
const LINES_MAX = 4;

export function place(states: DrawnState[], ways: Way[]): Picture {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 36, ranksep: 44, edgesep: 18, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  states.forEach((state, i) => {
    graph.setNode(String(i), { width: Math.max(state.name.length * 9 + 26, 76), height: 36 });
  });
  const joined = join(ways);
  for (const { from, to, lines } of joined) {
    const width = Math.max(...lines.map((l) => l.length), 1) * LETTER + 8;
    graph.setEdge(String(from), String(to), { width, height: lines.length * LINE_HEIGHT, labelpos: "c" }, "way");
  }
  layout(graph);
  const boxes = states.map((_, i) => {
    const { x, y, width, height } = graph.node(String(i)) as Box;
    return { x, y, width, height };
  });
  const lines = joined.map((line) => {
    const edge = graph.edge(String(line.from), String(line.to), "way") as { points: { x: number; y: number }[]; x: number; y: number };
    return { ...line, path: curve(edge.points), at: { x: edge.x, y: edge.y } };
  });
  const size = graph.graph() as { width?: number; height?: number };
  return { width: size.width ?? 100, height: size.height ?? 100, boxes, lines };
}

function join(ways: Way[]): Omit<Line, "path" | "at">[] {
  const joined: Omit<Line, "path" | "at">[] = [];
  for (const way of ways) {
    const same = joined.find((l) => l.from === way.from && l.to === way.to);
    if (same) same.ways.push(way);
    else joined.push({ from: way.from, to: way.to, ways: [way], lines: [] });
  }
  for (const line of joined) {
    const labels = [...new Set(line.ways.map((w) => w.label))];
    line.lines = labels.length > LINES_MAX ? [...labels.slice(0, LINES_MAX - 1), `and ${labels.length - LINES_MAX + 1} more`] : labels;
  }
  return joined;
}

/** A smooth line through the points. */
function curve(points: { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let path = `M${first.x.toFixed(1)},${first.y.toFixed(1)}`;
  rest.forEach((point, i) => {
    const next = rest[i + 1];
    if (!next) path += `L${point.x.toFixed(1)},${point.y.toFixed(1)}`;
    else {
      const [mx, my] = [(point.x + next.x) / 2, (point.y + next.y) / 2];
      path += `Q${point.x.toFixed(1)},${point.y.toFixed(1)} ${mx.toFixed(1)},${my.toFixed(1)}`;
    }
  });
  return path;
}
