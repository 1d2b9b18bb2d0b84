// Lines over simulated time, drawn by uPlot; the data are gathered from every frame.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { lab } from "../lab";
import type { Frame, Stage } from "../protocol";
import { colours } from "./colours";

/** Keeps the last `capacity` samples of several values; time going back cuts what was later. */
export class History {
  readonly time: number[] = [];
  readonly rows: (number | null)[][];

  constructor(readonly names: string[], readonly capacity = 1800) {
    this.rows = names.map(() => []);
  }

  push(time: number, values: (number | null | undefined)[]): void {
    while (this.time.length && (this.time.at(-1) ?? 0) >= time) this.cut(this.time.length - 1);
    this.time.push(time);
    this.rows.forEach((row, i) => row.push(values[i] ?? null));
    if (this.time.length > this.capacity * 1.25) {
      const extra = this.time.length - this.capacity;
      this.time.splice(0, extra);
      for (const row of this.rows) row.splice(0, extra);
    }
  }

  clear(): void {
    this.cut(0);
  }

  private cut(length: number): void {
    this.time.length = length;
    for (const row of this.rows) row.length = length;
  }
}

export interface PlotProps {
  label: string;
  names: string[];
  /** Values of a frame in the order of the names; `null` gives a gap. */
  read(frame: Frame, stage: Stage): (number | null | undefined)[];
  /** Fixed range, or free. */
  range?: [number, number];
  height?: number;
  /** When it changes the gathered data are forgotten. */
  reset?: unknown;
  /** Horizontal lines, such as the ends of a band. */
  marks?: { at: number; colour: string }[];
  /** Plots of one name share their cursor. */
  sync?: string;
}

export function Plot({ label, names, read, range, height = 140, reset, marks, sync }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const reader = useRef(read);
  reader.current = read;
  const key = names.join("\n");
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const history = new History(names);
    const palette = colours();
    const grid = { stroke: palette.grid, width: 1 };
    const axis = { stroke: palette.text, grid, ticks: grid, font: "11px system-ui" };
    const plot = new uPlot(
      {
        width: Math.max(element.clientWidth, 100),
        height,
        legend: { show: names.length > 1, live: true },
        cursor: { drag: { x: false, y: false }, ...(sync ? { sync: { key: sync } } : {}) },
        scales: { x: { time: false }, y: range ? { range } : {} },
        axes: [{ ...axis, size: 28 }, { ...axis, size: 44 }],
        series: [
          { label: "s", value: (_, v) => (v === null || v === undefined ? "–" : v.toFixed(2)) },
          ...names.map((name, i) => ({
            label: name,
            stroke: palette.series[i % palette.series.length] ?? palette.text,
            width: 1.5,
            points: { show: false },
            value: (_: uPlot, v: number | null) => brief(v),
          })),
        ],
        hooks: { drawAxes: [(u) => drawMarks(u, marks ?? [])] },
      },
      [history.time, ...history.rows] as uPlot.AlignedData,
      element,
    );
    let isDue = false;
    const tap = (frame: Frame, stage: Stage) => {
      history.push(frame.time_s, reader.current(frame, stage));
      if (isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        plot.setData([history.time, ...history.rows] as uPlot.AlignedData);
        // After what setData has put off, which would empty the legend again.
        queueMicrotask(() => showLatest(plot, history.time.length - 1));
      }, 100);
    };
    lab.taps.add(tap);
    const observer = new ResizeObserver(() => plot.setSize({ width: Math.max(element.clientWidth, 100), height }));
    observer.observe(element);
    return () => {
      lab.taps.delete(tap);
      observer.disconnect();
      plot.destroy();
    };
  }, [key, reset, height]);
  return <div class="plot" ref={box} role="img" aria-label={label} />;
}

/** Three digits; what is next to nothing is 0. */
function brief(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return Math.abs(value) < 5e-5 ? "0.00" : value.toPrecision(3);
}

/** Values of the latest sample in the legend, as long as nobody points at another. */
function showLatest(plot: uPlot, last: number): void {
  if (last >= 0 && (plot.cursor.left ?? -1) < 0) plot.setLegend({ idx: last });
}

function drawMarks(plot: uPlot, marks: { at: number; colour: string }[]): void {
  const { ctx, bbox } = plot;
  for (const { at, colour } of marks) {
    const y = plot.valToPos(at, "y", true);
    ctx.save();
    ctx.strokeStyle = colour;
    ctx.setLineDash([4, 4]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.restore();
  }
}
