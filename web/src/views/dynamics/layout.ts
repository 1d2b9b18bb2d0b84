// Where the boxes of a network stand: a band per level, the highest on top; within a band from the
// left what is sensed, perceived, done, wanted and driven. An array of nodes is one box.
import type { DynamicsStage } from "../../protocol";

export const HEIGHT = 38;
const GAP = { x: 26, y: 8, band: 26 };
/** Of a character of a name, px; and around a name. */
const LETTER = 6.2;
const PADDING = 16;
const COLUMNS: Record<string, number> = { mode: 0, sensor: 0, percept: 1, behaviour: 2, target: 3, actuator: 4 };

/** One box: a node, or all of an array. */
export interface Box {
  name: string;
  nodes: number[];
  level: number;
  column: number;
  x: number;
  y: number;
}

export interface Layout {
  boxes: Box[];
  /** Box of every node. */
  boxOf: number[];
  lines: { from: number; to: number; path: string }[];
  bands: { name: string; y: number; height: number }[];
  boxWidth: number;
  width: number;
  height: number;
}

export function layout(stage: DynamicsStage): Layout {
  const { boxes, boxOf } = boxesOf(stage);
  const edges = edgesOf(stage, boxOf);
  const boxWidth = Math.max(104, ...boxes.map((box) => box.name.length * LETTER + PADDING));
  const levels = [...new Set(boxes.map((box) => box.level))].sort((a, b) => b - a);
  const bands: Layout["bands"] = [];
  let y = 0;
  for (const level of levels) {
    const top = y + 18;
    let bottom = top;
    for (let column = 0; column < 5; column++) {
      const here = boxes.map((_, i) => i).filter((i) => boxes[i]!.level === level && boxes[i]!.column === column);
      byOrigin(here, boxes, edges).forEach((i, k) => {
        boxes[i]!.x = column * (boxWidth + GAP.x) + 8;
        boxes[i]!.y = top + k * (HEIGHT + GAP.y);
        bottom = Math.max(bottom, boxes[i]!.y + HEIGHT);
      });
    }
    bands.push({ name: stage.levels[level]?.name ?? "modes", y, height: bottom + GAP.y - y });
    y = bottom + GAP.band;
  }
  const lines = edges.map(({ from, to }) => ({ from, to, path: curve(boxes[from]!, boxes[to]!, boxWidth) }));
  return { boxes, boxOf, lines, bands, boxWidth, width: 5 * boxWidth + 4 * GAP.x + 16, height: y - GAP.band + GAP.y };
}

/** `L0.rays[3]` belongs to the box `L0.rays`. */
function boxesOf(stage: DynamicsStage): { boxes: Box[]; boxOf: number[] } {
  const found = new Map<string, number>();
  const boxes: Box[] = [];
  const boxOf = stage.nodes.map(({ name, kind, level }, i) => {
    const stem = name.replace(/\[\d+\]$/, "");
    const key = stem === name ? `${i}` : stem;
    const fresh = { name: stem, nodes: [], level, column: COLUMNS[kind] ?? 1, x: 0, y: 0 };
    const at = found.get(key) ?? boxes.push(fresh) - 1;
    found.set(key, at);
    boxes[at]!.nodes.push(i);
    return at;
  });
  for (const box of boxes) if (box.nodes.length > 1) box.name += `[0…${box.nodes.length - 1}]`;
  return { boxes, boxOf };
}

function edgesOf(stage: DynamicsStage, boxOf: number[]): { from: number; to: number }[] {
  const edges = new Map<string, { from: number; to: number }>();
  for (const edge of stage.edges) {
    const [from, to] = [boxOf[edge.from]!, boxOf[edge.to]!];
    if (from !== to) edges.set(`${from} ${to}`, { from, to });
  }
  return [...edges.values()];
}

/** Boxes of a column by the mean height of what leads to them from the left: fewer lines cross. */
function byOrigin(here: number[], boxes: Box[], edges: { from: number; to: number }[]): number[] {
  const height = (i: number, k: number) => {
    const origins = edges.filter((e) => e.to === i && boxes[e.from]!.column < boxes[i]!.column && boxes[e.from]!.level === boxes[i]!.level);
    return origins.length ? origins.reduce((sum, e) => sum + boxes[e.from]!.y, 0) / origins.length : k;
  };
  const heights = new Map(here.map((i, k) => [i, height(i, k)]));
  return [...here].sort((a, b) => heights.get(a)! - heights.get(b)!);
}

/** From the right side of one box to the left side of another; around, where that is not to the right. */
function curve(from: Box, to: Box, width: number): string {
  const [x0, y0, x1, y1] = [from.x + width, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
  const reach = x1 > x0 ? Math.max(14, (x1 - x0) / 2) : 34;
  return `M${x0} ${y0}C${x0 + reach} ${y0} ${x1 - reach} ${y1} ${x1} ${y1}`;
}
