// What the pointer does with each tool.
import { lab } from "../../lab";
import type { NewThing, Point, Thing, WorldFrame, WorldStage } from "../../protocol";
import type { Camera, Pointing } from "../../ui/canvas";
import { mover } from "./mover";
import { distance, pick } from "./pick";
import { type Tool, choose, isFollowing, placeOf, selected, sketch, tool } from "./state";

/** Pixels beside a thin thing that still count as on it. */
const SLACK_PX = 8;
/** Shorter drags make nothing, m. */
const LEAST_M = 0.02;
/** Electrical tape, m. */
const TAPE_WIDTH_M = 0.019;
/** A lamp about as bright as that of a station, a window as in the reference room. */
const [LAMP, WINDOW] = [0.15, 0.3];
/** A source that can be smelt or felt through half a usual room. */
const [STRENGTH, SPREAD_M] = [1, 0.5];

interface Drag {
  thing: Thing;
  offset: Point;
}

export interface Scene {
  world: WorldStage;
  now: WorldFrame | null;
  camera: Camera;
}

/** Handlers over whatever stands there at the time. */
export function pointing(scene: () => Scene | null): Pointing {
  let drag: Drag | null = null;
  return {
    down(at, event) {
      const now = scene();
      if (!now || event.button !== 0) return false;
      if (tool.value !== "select") return startSketch(at);
      const thing = pick(at, now.world, now.now, SLACK_PX / now.camera.scale);
      choose(thing);
      const place = thing && placeOf(thing, now.world, now.now);
      if (!thing || !place) return false;
      drag = { thing, offset: [place[0] - at[0], place[1] - at[1]] };
      if (thing.kind === "robot" && isFollowing.value) isFollowing.value = false;
      return true;
    },
    move(at) {
      if (drag) {
        mover.ask({ do: "move", thing: drag.thing, to: [at[0] + drag.offset[0], at[1] + drag.offset[1]] });
      } else if (sketch.value) {
        sketch.value = { ...sketch.value, to: at };
      }
    },
    up(at) {
      drag = null;
      endDrag(at);
    },
  };
}

function startSketch(at: Point): boolean {
  const kind = tool.value;
  const open = sketch.value;
  const placed = placedBy(kind, at);
  if (placed) void add(placed);
  else if (kind === "tape") {
    const points = open?.kind === "tape" ? open.points : [];
    const last = points.at(-1);
    // A second press on the same spot ends the strip.
    if (last && distance(last, at) < LEAST_M) endTape();
    else sketch.value = { kind: "tape", points: [...points, at], to: at };
  } else if (kind === "wall" || kind === "box" || kind === "disc") sketch.value = { kind, from: at, to: at };
  return true;
}

/** What one press makes. */
function placedBy(kind: Tool, at: Point): NewThing | null {
  const inward = towardMiddle(at);
  switch (kind) {
    case "beacon":
      return { kind, at };
    case "lamp":
      return { kind, at, intensity: LAMP };
    case "window":
      return { kind, at, direction_rad: inward + Math.PI, intensity: WINDOW };
    case "warmth":
    case "gas":
      return { kind: "field", of: kind, at, strength: STRENGTH, spread_m: SPREAD_M };
    case "station":
      return { kind, at, facing_rad: inward };
    default:
      return null;
  }
}

/** Direction from the nearest wall of the room's border into the room, rad. */
function towardMiddle([x, y]: Point): number {
  const [low, high] = lab.stage.value?.robots?.bounds ?? [[0, 0], [1, 1]];
  const sides: [number, number][] = [
    [high[1] - y, -Math.PI / 2], [y - low[1], Math.PI / 2], [high[0] - x, Math.PI], [x - low[0], 0],
  ];
  return sides.reduce((best, side) => (side[0] < best[0] ? side : best))[1];
}

function endDrag(to: Point): void {
  const open = sketch.value;
  if (!open || open.kind === "tape") return;
  sketch.value = null;
  const [from, way] = [open.from, distance(open.from, to)];
  if (way < LEAST_M) return;
  if (open.kind === "wall") void add({ kind: "wall", from, to });
  else if (open.kind === "disc") void add({ kind: "disc", at: from, radius_m: way });
  else {
    const [width_m, height_m] = [Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])];
    if (Math.min(width_m, height_m) < LEAST_M) return;
    void add({ kind: "box", at: [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], width_m, height_m });
  }
}

export function endTape(): void {
  const open = sketch.value;
  sketch.value = null;
  if (open?.kind === "tape" && open.points.length > 1) {
    void add({ kind: "tape", points: open.points, width_m: TAPE_WIDTH_M });
  }
}

/** Puts a thing of usual size at a place: drawing without a pointer. */
export function addAt(at: Point): void {
  const [x, y] = at;
  const kind = tool.value;
  if (kind === "wall") void add({ kind, from: [x - 0.25, y], to: [x + 0.25, y] });
  else if (kind === "tape") void add({ kind, points: [[x - 0.5, y], [x + 0.5, y]], width_m: TAPE_WIDTH_M });
  else if (kind === "disc") void add({ kind, at, radius_m: 0.1 });
  else if (kind === "box") void add({ kind, at, width_m: 0.3, height_m: 0.2 });
  else {
    // A window in the middle would shine from nowhere: it goes to the top of the room.
    const top = lab.stage.value?.robots?.bounds[1][1] ?? y;
    const placed = placedBy(kind, kind === "window" ? [x, top] : at);
    if (placed) void add(placed);
  }
}

async function add(thing: NewThing): Promise<void> {
  const kinds: Partial<Record<NewThing["kind"], Thing["kind"]>> = { box: "polygon", lamp: "light", window: "light" };
  const kind = kinds[thing.kind] ?? (thing.kind as Thing["kind"]);
  // What is new comes last in its list; the stage that lists it arrives after the reply.
  const index = listOf(kind)?.length;
  if ((await lab.ask({ do: "add", thing })) !== null && index !== undefined) choose({ kind, index });
}

function listOf(kind: Thing["kind"]): unknown[] | undefined {
  const world = lab.stage.value?.robots;
  const lists: Partial<Record<Thing["kind"], unknown[]>> = world
    ? {
        disc: world.discs, polygon: world.polygons, wall: world.walls, tape: world.tapes, beacon: world.beacons,
        light: world.lights, field: world.fields, station: world.stations,
      }
    : {};
  return lists[kind];
}

export async function removeSelected(): Promise<void> {
  const thing = selected.value;
  if (thing && (await lab.ask({ do: "remove", thing })) !== null) choose(null);
}

/** Keys on the drawing beyond those that move it. */
export function keys(event: KeyboardEvent, scene: Scene | null): void {
  const thing = selected.value;
  if (event.key === "Enter" && tool.value !== "select" && scene) {
    if (sketch.value?.kind === "tape") endTape();
    else addAt([scene.camera.x, scene.camera.y]);
  } else if (event.key === "Escape") {
    if (sketch.value) sketch.value = null;
    else if (tool.value !== "select") tool.value = "select";
    else choose(null);
  } else if ((event.key === "Delete" || event.key === "Backspace") && thing) {
    void removeSelected();
  } else if (event.shiftKey && event.key.startsWith("Arrow") && thing && scene) {
    const place = placeOf(thing, scene.world, scene.now);
    if (!place) return;
    const step = 0.05;
    const [dx, dy] = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step] }[event.key] ?? [0, -step];
    mover.ask({ do: "move", thing, to: [place[0] + (dx ?? 0), place[1] + (dy ?? 0)] });
  } else return;
  event.preventDefault();
}
