// What drawings of a plane are made of.
import type { Point } from "../protocol";
import type { Camera } from "./canvas";
import type { Colours } from "./colours";

export interface Brush {
  c: CanvasRenderingContext2D;
  camera: Camera;
  palette: Colours;
}

/** Adds a line to the path. */
export function trace({ c, camera }: Brush, points: Point[], isClosed = false): void {
  points.forEach((point, i) => {
    const [x, y] = camera.toScreen(point);
    if (i === 0) c.moveTo(x, y);
    else c.lineTo(x, y);
  });
  if (isClosed) c.closePath();
}

/** Covers everything. */
export function clear({ c, camera, palette }: Brush): void {
  c.fillStyle = palette.back;
  c.fillRect(0, 0, camera.width, camera.height);
}

/** A filled disc with its radius in the plane; never too small to be seen. */
export function disc({ c, camera }: Brush, at: Point, radius: number, fill: string): void {
  const [x, y] = camera.toScreen(at);
  c.beginPath();
  c.arc(x, y, Math.max(radius * camera.scale, 1.5), 0, 2 * Math.PI);
  c.fillStyle = fill;
  c.fill();
}

/** A round robot with a line from its centre to its front. */
export function robot(b: Brush, [x, y]: Point, heading: number, radius: number, fill: string): void {
  disc(b, [x, y], radius, fill);
  b.c.strokeStyle = b.palette.back;
  b.c.lineWidth = 2;
  b.c.beginPath();
  trace(b, [[x, y], [x + radius * Math.cos(heading), y + radius * Math.sin(heading)]]);
  b.c.stroke();
}

/** Borders, polygons, walls and discs of a room in plain lines. */
export interface Room {
  bounds: [Point, Point];
  polygons: Point[][];
  walls: [Point, Point][];
  discs: { at: Point; radius_m: number }[];
}

export function room(b: Brush, { bounds: [low, high], polygons, walls, discs }: Room): void {
  b.c.strokeStyle = b.palette.wall;
  b.c.lineWidth = 2;
  b.c.beginPath();
  trace(b, [low, [high[0], low[1]], high, [low[0], high[1]]], true);
  for (const polygon of polygons) trace(b, polygon, true);
  for (const wall of walls) trace(b, wall);
  b.c.stroke();
  for (const { at, radius_m } of discs) disc(b, at, radius_m, b.palette.solid);
}
