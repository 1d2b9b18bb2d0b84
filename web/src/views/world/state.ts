// What the user is doing on the drawing: tool, choice, what is shown.
import { batch, signal } from "@preact/signals";
import { lab } from "../../lab";
import type { Point, RobotFrame, Thing, ThingKind, WorldFrame, WorldStage } from "../../protocol";

export type Tool =
  | "select" | "wall" | "tape" | "disc" | "box" | "beacon"
  | "lamp" | "window" | "warmth" | "gas" | "station";

export const tool = signal<Tool>("select");
export const selected = signal<Thing | null>(null);
export const isFollowing = signal(false);

/** What is drawn besides the things themselves. */
export const layers = {
  rays: signal(true),
  trails: signal(true),
  odometry: signal(true),
  radio: signal(true),
  fields: signal(true),
};

/** Half-drawn new thing. */
export type Sketch =
  | { kind: "wall" | "box" | "disc"; from: Point; to: Point }
  | { kind: "tape"; points: Point[]; to: Point };

export const sketch = signal<Sketch | null>(null);

export function isSame(a: Thing | null, kind: ThingKind, index: number): boolean {
  return a?.kind === kind && a.index === index;
}

/** Chooses a thing; a robot is then also the one whose inside is watched. */
export function choose(thing: Thing | null): void {
  batch(() => {
    selected.value = thing;
    if (thing?.kind === "robot") lab.follow(thing.index);
  });
}

/** Where a thing is: the point that `move` puts somewhere; `null` for what has no place. */
export function placeOf({ kind, index }: Thing, world: WorldStage, now: WorldFrame | null): Point | null {
  switch (kind) {
    case "robot":
      return now?.robots[index]?.at ?? null;
    case "station":
      return now?.stations[index]?.at ?? null;
    case "disc":
      return world.discs[index]?.at ?? null;
    case "polygon":
      return world.polygons[index]?.corners[0] ?? null;
    case "wall":
      return world.walls[index]?.from ?? null;
    case "tape":
      return world.tapes[index]?.points[0] ?? null;
    case "beacon":
      return world.beacons[index] ?? null;
    case "light":
      return world.lights[index]?.at ?? null;
    case "field":
      return world.fields[index]?.at ?? null;
    default:
      return null;
  }
}

/** Heading of a robot or station, direction towards a window, rad. */
export function headingOf({ kind, index }: Thing, world: WorldStage, now: WorldFrame | null): number | null {
  if (kind === "robot") return now?.robots[index]?.heading_rad ?? null;
  if (kind === "light") return world.lights[index]?.direction_rad ?? null;
  return kind === "station" ? (now?.stations[index]?.facing_rad ?? null) : null;
}

/** On or off, for what can be switched. */
export function isOn({ kind, index }: Thing, now: WorldFrame | null): boolean | null {
  if (!now) return null;
  if (kind === "station") return now.stations[index]?.is_on ?? null;
  if (kind === "light") return (now.lights_on & (1 << index)) !== 0;
  return kind === "field" ? (now.fields_on & (1 << index)) !== 0 : null;
}

/** What a thing is called in the page. */
export function nameOf({ kind, index }: Thing, world: WorldStage): string {
  if (kind === "robot") return world.robots[index]?.name ?? kind;
  const numbered = (word: string) => `${word} ${index + 1}`;
  if (kind === "polygon") return numbered("box");
  if (kind === "light") {
    const of = world.lights[index]?.kind ?? kind;
    return numbered(of === "ambient" ? "ambient light" : of);
  }
  return numbered(kind === "field" ? `source of ${world.fields[index]?.kind ?? "something"}` : kind);
}

export type RobotState = "free" | "rest" | "charging" | "touching" | "by_hand" | "low" | "stopped";

/** One word for what colour and tables say of a robot; the most urgent wins. */
export function stateOf(robot: RobotFrame): RobotState {
  if (robot.is_stopped) return "stopped";
  if (robot.manual) return "by_hand";
  if (robot.is_charging) return "charging";
  if (robot.is_battery_critical) return "low";
  if (robot.is_bumped) return "touching";
  return Math.abs(robot.speed_m_s) < 0.01 && robot.behaviour === "rest" ? "rest" : "free";
}

export const STATE_WORDS: Record<RobotState, string> = {
  free: "moving",
  rest: "resting",
  charging: "charging",
  touching: "touching something",
  by_hand: "driven by hand",
  low: "resting, battery almost empty",
  stopped: "stopped for good",
};
