// Draws what moves: robots, their rays, trails, what they hear by radio, where they believe to be.
import type { Point, RobotFrame, Thing, WorldFrame, WorldStage } from "../../protocol";
import type { Colours } from "../../ui/colours";
import { type Brush, trace } from "../../ui/brush";
import { ring, text } from "./draw-room";
import { type RobotState, isSame, stateOf } from "./state";
import type { Trails } from "./trails";

/** Colour of every state; the legend and the tables say them in words. */
export function stateColour(palette: Colours, state: RobotState): string {
  const [, touching, , byHand] = palette.series;
  const colours: Record<RobotState, string | undefined> = {
    free: palette.series[0],
    rest: palette.series[6],
    charging: palette.good,
    touching,
    by_hand: byHand,
    low: palette.series[4],
    stopped: palette.bad,
  };
  return colours[state] ?? palette.text;
}

export function drawTrails(b: Brush, robots: RobotFrame[], trails: Trails, watched: number): void {
  const { c, camera, palette } = b;
  const one = (i: number) => trails.each(i, (x, y, isStart) => {
    const [sx, sy] = camera.toScreen([x, y]);
    if (isStart) c.moveTo(sx, sy);
    else c.lineTo(sx, sy);
  });
  c.beginPath();
  robots.forEach((_, i) => i !== watched && one(i));
  c.globalAlpha = 0.35;
  c.strokeStyle = palette.series[0] ?? palette.text;
  c.lineWidth = 1.2;
  c.stroke();
  c.beginPath();
  one(watched);
  c.globalAlpha = 0.8;
  c.stroke();
  c.globalAlpha = 1;
}

/** Rays as they lie; a dot where one hits. */
export function drawRays(b: Brush, robots: RobotFrame[]): void {
  const { c, palette } = b;
  const hits: Point[] = [];
  c.beginPath();
  for (const robot of robots) {
    for (const ray of robot.rays ?? []) {
      trace(b, [ray.from, ray.to]);
      if (ray.is_hit) hits.push(ray.to);
    }
  }
  c.globalAlpha = robots.length > 12 ? 0.25 : 0.5;
  c.strokeStyle = palette.series[1] ?? palette.bad;
  c.lineWidth = 1;
  c.stroke();
  c.globalAlpha = 1;
  c.beginPath();
  for (const at of hits) ring(b, at, 2.5);
  c.fillStyle = palette.series[1] ?? palette.bad;
  c.fill();
}

/** Where odometry believes each robot to be, joined to where it is. */
export function drawOdometry(b: Brush, world: WorldStage, robots: RobotFrame[]): void {
  const { c, camera, palette } = b;
  c.beginPath();
  robots.forEach((robot, i) => {
    if (!robot.odometry) return;
    const [x, y, heading] = robot.odometry;
    const radius = world.robots[i]?.radius_m ?? 0.1;
    ring(b, [x, y], radius * camera.scale);
    trace(b, [[x, y], [x + radius * Math.cos(heading), y + radius * Math.sin(heading)]]);
    trace(b, [[x, y], robot.at]);
  });
  c.setLineDash([4, 3]);
  c.strokeStyle = palette.series[3] ?? palette.quiet;
  c.lineWidth = 1.5;
  c.stroke();
  c.setLineDash([]);
}

/** How strongly each robot hears the stations: bars beside every robot, waves to the watched one. */
export function drawRadio(b: Brush, world: WorldStage, now: WorldFrame, watched: number): void {
  const { c, camera, palette } = b;
  const colour = palette.series[5] ?? palette.accent;
  const full = new Path2D();
  const empty = new Path2D();
  now.robots.forEach((robot, i) => {
    const level = heard(world, robot, i);
    if (level === null) return;
    const [x, y] = camera.toScreen(robot.at);
    const radius = (world.robots[i]?.radius_m ?? 0.1) * camera.scale;
    for (let bar = 0; bar < 4; bar++) {
      const height = 4 + 3 * bar;
      const path = level > bar / 4 + 0.02 ? full : empty;
      path.rect(x + radius + 5 + 5 * bar, y + 8 - height, 3.5, height);
    }
  });
  c.fillStyle = palette.grid;
  c.fill(empty);
  c.fillStyle = colour;
  c.fill(full);
  const robot = now.robots[watched];
  const level = robot ? heard(world, robot, watched) : null;
  if (!robot || level === null) return;
  now.stations.forEach((station, i) => {
    if (!station.is_on || !world.stations[i]?.has_radio) return;
    const way = Math.hypot(station.at[0] - robot.at[0], station.at[1] - robot.at[1]);
    c.strokeStyle = colour;
    c.lineWidth = 1 + 2 * level;
    for (let wave = 1; wave <= 4; wave++) {
      c.globalAlpha = (0.12 + 0.6 * level) * (1.2 - wave / 5);
      c.beginPath();
      ring(b, station.at, (way * wave * camera.scale) / 4);
      c.stroke();
    }
    c.globalAlpha = 1;
  });
}

/** Strongest radio reading of a robot as a share of its range; `null` when it hears nothing. */
function heard(world: WorldStage, robot: RobotFrame, index: number): number | null {
  let strongest: number | null = null;
  world.robots[index]?.sensors.forEach((sensor, i) => {
    const value = robot.sensors[i];
    if (sensor.kind !== "rssi" || value === null || value === undefined) return;
    const share = (value - sensor.min) / (sensor.max - sensor.min || 1);
    strongest = Math.max(strongest ?? 0, Math.min(Math.max(share, 0), 1));
  });
  return strongest;
}

export function drawRobots(b: Brush, world: WorldStage, now: WorldFrame, chosen: Thing | null, watched: number): void {
  const { c, camera, palette } = b;
  const bodies = new Map<RobotState, Path2D>();
  const noses = new Path2D();
  const lamps: { at: Point; level: number; radius: number }[] = [];
  const bumps = new Path2D();
  now.robots.forEach((robot, i) => {
    const stage = world.robots[i];
    if (!stage) return;
    const radius = Math.max(stage.radius_m * camera.scale, 3);
    const [x, y] = camera.toScreen(robot.at);
    const state = stateOf(robot);
    const path = bodies.get(state) ?? new Path2D();
    bodies.set(state, path);
    path.moveTo(x + radius, y);
    path.arc(x, y, radius, 0, 2 * Math.PI);
    const [dx, dy] = [Math.cos(robot.heading_rad), -Math.sin(robot.heading_rad)];
    noses.moveTo(x + 0.25 * radius * dx, y + 0.25 * radius * dy);
    noses.lineTo(x + radius * dx, y + radius * dy);
    const lamp = stage.actuators.findIndex((a) => /led|lamp/.test(a.name));
    const level = lamp < 0 ? 0 : (robot.actuators[lamp] ?? 0);
    if (level > 0.02) lamps.push({ at: robot.at, level, radius });
    if (robot.is_bumped) {
      bumps.moveTo(x + radius + 3, y);
      bumps.arc(x, y, radius + 3, 0, 2 * Math.PI);
    }
  });
  for (const [state, path] of bodies) {
    c.fillStyle = stateColour(palette, state);
    c.fill(path);
    c.strokeStyle = palette.text;
    c.lineWidth = 1;
    c.stroke(path);
  }
  c.strokeStyle = palette.back;
  c.lineWidth = 2.5;
  c.stroke(noses);
  c.strokeStyle = palette.bad;
  c.lineWidth = 2.5;
  c.stroke(bumps);
  for (const { at, level, radius } of lamps) {
    c.globalAlpha = 0.3 + 0.7 * level;
    c.beginPath();
    ring(b, at, radius * 0.38);
    c.fillStyle = palette.light;
    c.fill();
    c.globalAlpha = 1;
  }
  label(b, world, now, chosen, watched);
}

function label(b: Brush, world: WorldStage, now: WorldFrame, chosen: Thing | null, watched: number): void {
  const { c, camera, palette } = b;
  const count = now.robots.length;
  now.robots.forEach((robot, i) => {
    const radius = Math.max((world.robots[i]?.radius_m ?? 0.1) * camera.scale, 3);
    const isChosen = isSame(chosen, "robot", i);
    if (isChosen || (count > 1 && i === watched)) {
      c.beginPath();
      ring(b, robot.at, radius + 5);
      c.setLineDash(isChosen ? [] : [3, 3]);
      c.strokeStyle = palette.accent;
      c.lineWidth = 2;
      c.stroke();
      c.setLineDash([]);
    }
    const isNamed = count > 1 && (count <= 12 || i === watched) && radius > 5;
    const [x, y] = camera.toScreen(robot.at);
    if (isNamed) text(b, world.robots[i]?.name ?? "", x - radius, y - radius - 7);
  });
}
