// Which thing lies under the pointer.
import type { Point, Thing, WorldFrame, WorldStage } from "../../protocol";

/** The thing at a point; `slack` is how far beside thin things still counts, m. */
export function pick(at: Point, world: WorldStage, now: WorldFrame | null, slack: number): Thing | null {
  const near = (to: Point, within: number) => distance(at, to) <= within;
  const first = (kind: Thing["kind"], count: number, isHit: (i: number) => boolean): Thing | null => {
    // The last one is drawn on top.
    for (let index = count - 1; index >= 0; index--) if (isHit(index)) return { kind, index };
    return null;
  };
  const round = (list: { at: Point; radius_m: number }[], i: number) =>
    near(list[i]?.at ?? [NaN, NaN], slack * 1.6);
  return (
    first("robot", now?.robots.length ?? 0, (i) =>
      near(now?.robots[i]?.at ?? [NaN, NaN], (world.robots[i]?.radius_m ?? 0) + slack * 0.5)) ??
    first("beacon", world.beacons.length, (i) => near(world.beacons[i] ?? [NaN, NaN], slack * 1.4)) ??
    first("station", now?.stations.length ?? 0, (i) =>
      near(now?.stations[i]?.at ?? [NaN, NaN], Math.max(world.stations[i]?.contact_m ?? 0, slack * 1.6))) ??
    first("light", world.lights.length, (i) => isOnLight(at, world, i, slack)) ??
    first("field", world.fields.length, (i) => round(world.fields, i)) ??
    first("disc", world.discs.length, (i) =>
      near(world.discs[i]?.at ?? [NaN, NaN], (world.discs[i]?.radius_m ?? 0) + slack * 0.4)) ??
    first("polygon", world.polygons.length, (i) => isInside(at, world.polygons[i]?.corners ?? [])) ??
    first("wall", world.walls.length, (i) => {
      const wall = world.walls[i];
      return wall !== undefined && toSegment(at, wall.from, wall.to) <= slack;
    }) ??
    first("tape", world.tapes.length, (i) => {
      const tape = world.tapes[i];
      const within = Math.max((tape?.width_m ?? 0) / 2, slack * 0.7);
      return toPath(at, tape?.points ?? []) <= within;
    })
  );
}

/** Half the length at which a window is drawn, m. */
export function windowHalf(world: WorldStage): number {
  const [low, high] = world.bounds;
  return Math.min(high[0] - low[0], high[1] - low[1]) / 3;
}

/** Ends of a window as it is drawn: a stretch of its line, which has no end. */
export function windowEnds(world: WorldStage, at: Point, direction: number): [Point, Point] {
  const half = windowHalf(world);
  const [dx, dy] = [-Math.sin(direction) * half, Math.cos(direction) * half];
  return [[at[0] - dx, at[1] - dy], [at[0] + dx, at[1] + dy]];
}

/** Where the mark of ambient light stands: it has no place of its own. */
export function ambientMark(world: WorldStage, index: number): Point {
  const [low, high] = world.bounds;
  const inset = 0.05 * Math.min(high[0] - low[0], high[1] - low[1]);
  return [low[0] + inset, high[1] - inset * (1 + 2 * index)];
}

function isOnLight(at: Point, world: WorldStage, index: number, slack: number): boolean {
  const light = world.lights[index];
  if (!light) return false;
  const place = light.at ?? ambientMark(world, index);
  if (light.direction_rad === null || light.direction_rad === undefined) return distance(at, place) <= slack * 1.6;
  return toSegment(at, ...windowEnds(world, place, light.direction_rad)) <= slack * 1.4;
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function toSegment(at: Point, from: Point, to: Point): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const squared = dx * dx + dy * dy;
  const along = squared === 0 ? 0 : ((at[0] - from[0]) * dx + (at[1] - from[1]) * dy) / squared;
  const t = Math.min(Math.max(along, 0), 1);
  return distance(at, [from[0] + t * dx, from[1] + t * dy]);
}

function toPath(at: Point, points: Point[]): number {
  let least = Infinity;
  for (let i = 1; i < points.length; i++) {
    const [from, to] = [points[i - 1], points[i]];
    if (from && to) least = Math.min(least, toSegment(at, from, to));
  }
  return least;
}

function isInside([x, y]: Point, corners: Point[]): boolean {
  let isIn = false;
  corners.forEach((a, i) => {
    const b = corners[(i + 1) % corners.length];
    if (!b || a[1] > y === b[1] > y) return;
    if (x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0]) isIn = !isIn;
  });
  return isIn;
}
