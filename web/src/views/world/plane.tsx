// The world, drawn: used by the world view and beside the editor.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { lab } from "../../lab";
import type { Frame, Point, Stage, WorldFrame, WorldStage } from "../../protocol";
import { Camera, Canvas } from "../../ui/canvas";
import { colours } from "../../ui/colours";
import { number, words } from "../../ui/text";
import { drawOdometry, drawRadio, drawRays, drawRobots, drawTrails } from "./draw-robots";
import { Backdrop } from "./backdrop";
import { type Brush, trace } from "../../ui/brush";
import { drawFields, drawFloor, drawPosts, drawScale, drawSolids, drawSources, gridStep, ring } from "./draw-room";
import { STATE_WORDS, isFollowing, layers, selected, sketch, stateOf } from "./state";
import { keys, pointing } from "./tools";
import { Trails } from "./trails";

/** Rays are asked for as long as a drawing is there. */
const PARTS: ["rays"] = ["rays"];
const HINT = "Arrow keys move the picture, + and - zoom, 0 shows everything; Shift with arrow keys moves what is chosen, Delete removes it.";

export function Plane({ isEditable }: { isEditable: boolean }) {
  const camera = useMemo(() => new Camera(), []);
  const trails = useMemo(() => new Trails(), []);
  const backdrop = useMemo(() => new Backdrop(), []);
  const me = useRef({}).current;
  const stage = lab.stage.value;
  const world = stage?.robots ?? null;
  const frame = lab.frame.value;
  const now = world && frame?.robots?.robots.length === world.robots.length ? frame.robots : null;
  const wantsRays = layers.rays.value;

  useEffect(() => {
    lab.want(me, wantsRays ? PARTS : []);
    return () => lab.want(me, null);
  }, [wantsRays]);
  useEffect(() => {
    const tap = (next: Frame, its: Stage) => trails.take(next, `${its.name} ${its.seed}`);
    lab.taps.add(tap);
    return () => void lab.taps.delete(tap);
  }, []);

  const scene = useRef(() => null as ReturnType<typeof current>);
  const current = () => (world ? { world, now, camera } : null);
  scene.current = current;
  const hands = useMemo(() => pointing(() => scene.current()), []);
  const spoken = useSpoken(world, now);
  // Read here so that a change of any of them is drawn.
  const [chosen, open] = [selected.value, sketch.value];
  const shown = Object.fromEntries(Object.entries(layers).map(([name, layer]) => [name, layer.value]));
  const isHeld = isFollowing.value;

  if (!stage || !world) return <p class="quiet">Load a world of robots to see it here.</p>;
  const watched = lab.watched.value;
  const draw = (c: CanvasRenderingContext2D, cam: Camera) => {
    const at = now?.robots[watched]?.at;
    if (isHeld && at) [cam.x, cam.y] = at;
    const b: Brush = { c, camera: cam, palette: colours() };
    const lit = `${now?.lights_on} ${now?.fields_on} ${shown.fields}`;
    const key = `${stage.name} ${stage.version} ${lit} ${chosen?.kind} ${chosen?.index} ${b.palette.back}`;
    const step = gridStep(cam);
    backdrop.show(c, cam, key, (on) => {
      const under = { ...b, c: on };
      drawFloor(under, world.bounds as [Point, Point], step);
      if (shown.fields) drawFields(under, world, now);
      drawSolids(under, world, chosen);
    });
    drawPosts(b, world, now, chosen);
    drawSources(b, world, now, chosen);
    if (now) {
      if (shown.trails) drawTrails(b, now.robots, trails, watched);
      if (shown.radio) drawRadio(b, world, now, watched);
      if (shown.rays) drawRays(b, now.robots);
      drawRobots(b, world, now, chosen, watched);
      if (shown.odometry) drawOdometry(b, world, now.robots);
    }
    drawSketch(b, open);
    drawScale(b, step);
  };
  return (
    <Canvas
      label={`World ${stage.name}`}
      description={`${spoken} ${HINT}`}
      camera={camera}
      bounds={whole(world)}
      fitKey={`${stage.name} ${world.bounds}`}
      draw={draw}
      {...(isEditable ? { pointing: hands, onKeyDown: (event: KeyboardEvent) => keys(event, scene.current()) } : {})}
    />
  );
}

/** The room with the lamps, windows and sources that stand beyond its border, but not far beyond. */
function whole(world: WorldStage): [Point, Point] {
  const [low, high] = world.bounds;
  const [w, h] = [high[0] - low[0], high[1] - low[1]];
  const spots = [...world.lights, ...world.fields].flatMap(({ at }) => (at ? [at] : []));
  const near = spots.filter(([x, y]) =>
    x > low[0] - w / 2 && x < high[0] + w / 2 && y > low[1] - h / 2 && y < high[1] + h / 2);
  const ends = (i: 0 | 1) => [low[i], high[i], ...near.map((at) => at[i])];
  return [
    [Math.min(...ends(0)), Math.min(...ends(1))],
    [Math.max(...ends(0)), Math.max(...ends(1))],
  ];
}

function drawSketch(b: Brush, open: typeof sketch.value): void {
  if (!open) return;
  const { c, camera, palette } = b;
  c.beginPath();
  if (open.kind === "tape") trace(b, [...open.points, open.to]);
  else if (open.kind === "wall") trace(b, [open.from, open.to]);
  else if (open.kind === "disc") {
    ring(b, open.from, Math.hypot(open.to[0] - open.from[0], open.to[1] - open.from[1]) * camera.scale);
  } else trace(b, [open.from, [open.to[0], open.from[1]], open.to, [open.from[0], open.to[1]]], true);
  c.setLineDash([6, 4]);
  c.strokeStyle = palette.accent;
  c.lineWidth = 2.5;
  c.stroke();
  c.setLineDash([]);
}

/** What is there now in words, renewed every two seconds. */
function useSpoken(world: WorldStage | null, now: WorldFrame | null): string {
  const last = useRef({ at: 0, text: "" });
  const due = performance.now() - last.current.at > 2000;
  if (world && now && (due || !last.current.text)) {
    last.current = { at: performance.now(), text: describe(world, now) };
  }
  return last.current.text;
}

function describe(world: WorldStage, now: WorldFrame): string {
  const [low, high] = world.bounds;
  const size = `A room of ${number(high[0] - low[0], 1)} by ${number(high[1] - low[1], 1)} m with `;
  const counts: [number, string][] = [
    [now.robots.length, "robots"], [now.stations.length, "stations"], [world.discs.length, "discs"],
    [world.polygons.length, "boxes"], [world.walls.length, "inner walls"], [world.tapes.length, "strips of tape"],
    [world.lights.length, "lights"], [world.fields.length, "sources"], [world.beacons.length, "beacons"],
  ];
  const things = counts.filter(([n]) => n > 0).map(([n, name]) => `${n} ${n === 1 ? name.replace(/s\b/, "").replace(/(box)e$/, "$1") : name}`);
  const robots = now.robots.slice(0, 3).map((robot, i) =>
    `${world.robots[i]?.name} at ${number(robot.at[0], 1)}, ${number(robot.at[1], 1)} m, ${STATE_WORDS[stateOf(robot)]}, ${words(robot.behaviour)}`);
  return `${size}${things.join(", ")}. ${robots.join("; ")}.`;
}
