// Draws what stands still: floor, tape, solids, lights, fields, stations, beacons.
import type { Point, Thing, WorldFrame, WorldStage } from "../../protocol";
import { type Brush, trace } from "../../ui/brush";
import type { Camera } from "../../ui/canvas";
import { ambientMark, windowEnds } from "./pick";
import { isSame } from "./state";

export function ring({ c, camera }: Brush, at: Point, radius: number): void {
  const [x, y] = camera.toScreen(at);
  c.moveTo(x + radius, y);
  c.arc(x, y, radius, 0, 2 * Math.PI);
}

export function text(b: Brush, words: string, x: number, y: number, colour = b.palette.text): void {
  const { c, palette } = b;
  c.font = "12px system-ui, sans-serif";
  c.lineWidth = 3;
  c.lineJoin = "round";
  c.strokeStyle = palette.back;
  c.strokeText(words, x, y);
  c.fillStyle = colour;
  c.fillText(words, x, y);
}

const STEPS_M = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];

/** Distance of grid lines that are far enough apart to be told apart, m. */
export function gridStep(camera: Camera): number {
  return STEPS_M.find((step) => step * camera.scale >= 44) ?? 100;
}

/** Floor with a grid; beyond the border is another colour. */
export function drawFloor(b: Brush, [low, high]: [Point, Point], step: number): void {
  const { c, camera, palette } = b;
  c.fillStyle = palette.grid;
  c.fillRect(0, 0, camera.width, camera.height);
  const [x0, y1] = camera.toScreen(low);
  const [x1, y0] = camera.toScreen(high);
  c.fillStyle = palette.back;
  c.fillRect(x0, y0, x1 - x0, y1 - y0);
  c.beginPath();
  const [left, bottom] = camera.toPlane(0, camera.height);
  const [right, top] = camera.toPlane(camera.width, 0);
  for (let x = Math.ceil(Math.max(low[0], left) / step) * step; x <= Math.min(high[0], right); x += step) {
    trace(b, [[x, low[1]], [x, high[1]]]);
  }
  for (let y = Math.ceil(Math.max(low[1], bottom) / step) * step; y <= Math.min(high[1], top); y += step) {
    trace(b, [[low[0], y], [high[0], y]]);
  }
  c.strokeStyle = palette.grid;
  c.lineWidth = 1;
  c.stroke();
}

/** How long a metre is in the drawing. */
export function drawScale(b: Brush, step: number): void {
  const { c, camera, palette } = b;
  const [length, y] = [step * camera.scale, camera.height - 12];
  c.beginPath();
  c.moveTo(12, y - 4);
  c.lineTo(12, y);
  c.lineTo(12 + length, y);
  c.lineTo(12 + length, y - 4);
  c.strokeStyle = palette.text;
  c.lineWidth = 1.5;
  c.stroke();
  text(b, step < 1 ? `${Math.round(step * 100)} cm` : `${step} m`, 16, y - 6);
}

/** Light, warmth and gas as they fade with distance. */
export function drawFields(b: Brush, world: WorldStage, now: WorldFrame | null): void {
  const { c, camera, palette } = b;
  const glow = (at: Point, half_m: number, colour: string, isLit: boolean) => {
    const [x, y] = camera.toScreen(at);
    const reach = Math.max(half_m * camera.scale * 2.5, 12);
    if (isLit) {
      const gradient = c.createRadialGradient(x, y, 0, x, y, reach);
      gradient.addColorStop(0, colour);
      // The same colour without strength: `transparent` alone would fade through grey.
      gradient.addColorStop(1, `${colour}00`);
      c.globalAlpha = 0.42;
      c.fillStyle = gradient;
      c.fillRect(x - reach, y - reach, 2 * reach, 2 * reach);
      c.globalAlpha = 1;
    }
    c.beginPath();
    ring(b, at, half_m * camera.scale);
    c.setLineDash([2, 4]);
    c.strokeStyle = isLit ? colour : palette.quiet;
    c.lineWidth = 1;
    c.stroke();
    c.setLineDash([]);
  };
  world.fields.forEach((field, i) => {
    const isLit = ((now?.fields_on ?? 0) & (1 << i)) !== 0;
    glow(field.at, field.radius_m, palette.series[field.kind === "gas" ? 2 : 1] ?? palette.bad, isLit);
  });
  world.lights.forEach((light, i) => {
    const isLit = ((now?.lights_on ?? 0) & (1 << i)) !== 0;
    if (!light.at) return;
    if (typeof light.direction_rad === "number") {
      if (isLit) shine(b, world, light.at, light.direction_rad, light.radius_m);
    } else glow(light.at, light.radius_m, palette.light, isLit);
  });
}

/** The light of a window as it fades into the room. */
function shine({ c, camera, palette }: Brush, world: WorldStage, at: Point, direction: number, half_m: number): void {
  const reach = half_m * 2.5;
  const [x0, y0] = camera.toScreen(at);
  const [x1, y1] = camera.toScreen([at[0] - reach * Math.cos(direction), at[1] - reach * Math.sin(direction)]);
  const gradient = c.createLinearGradient(x0, y0, x1, y1);
  gradient.addColorStop(0, palette.light);
  gradient.addColorStop(1, `${palette.light}00`);
  const [left, bottom] = camera.toScreen(world.bounds[0]);
  const [right, top] = camera.toScreen(world.bounds[1]);
  c.globalAlpha = 0.42;
  c.fillStyle = gradient;
  c.fillRect(left, top, right - left, bottom - top);
  c.globalAlpha = 1;
}

/** Symbols and names of lights and fields, above the solids. */
export function drawSources(b: Brush, world: WorldStage, now: WorldFrame | null, chosen: Thing | null): void {
  const { c, camera, palette } = b;
  const mark = (at: Point, words: string, colour: string, isChosen: boolean) => {
    const [x, y] = camera.toScreen(at);
    c.beginPath();
    ring(b, at, 5);
    c.fillStyle = colour;
    c.fill();
    c.strokeStyle = isChosen ? palette.accent : palette.text;
    c.lineWidth = isChosen ? 3 : 1;
    c.stroke();
    text(b, words, x + 9, y + 4, palette.quiet);
  };
  world.fields.forEach((field, i) => {
    const isLit = ((now?.fields_on ?? 0) & (1 << i)) !== 0;
    const colour = palette.series[field.kind === "gas" ? 2 : 1] ?? palette.bad;
    mark(field.at, isLit ? field.kind : `${field.kind}, off`, isLit ? colour : palette.back, isSame(chosen, "field", i));
  });
  world.lights.forEach((light, i) => {
    const isLit = ((now?.lights_on ?? 0) & (1 << i)) !== 0;
    const name = light.kind === "ambient" ? "ambient light" : light.kind;
    const [words, isChosen] = [isLit ? name : `${name}, off`, isSame(chosen, "light", i)];
    const at = light.at ?? ambientMark(world, i);
    if (typeof light.direction_rad === "number") pane(b, windowEnds(world, at, light.direction_rad), isLit, isChosen);
    mark(at, words, isLit ? palette.light : palette.back, isChosen);
  });
}

/** A window: a pale line with a frame. */
function pane(b: Brush, ends: [Point, Point], isLit: boolean, isChosen: boolean): void {
  const { c, palette } = b;
  c.lineCap = "butt";
  for (const [colour, width] of [[isChosen ? palette.accent : palette.text, isChosen ? 9 : 7], [isLit ? palette.light : palette.back, 5]] as const) {
    c.beginPath();
    trace(b, ends);
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.stroke();
  }
}

/** Tape, walls, discs and polygons. */
export function drawSolids(b: Brush, world: WorldStage, chosen: Thing | null): void {
  const { c, camera, palette } = b;
  c.lineJoin = c.lineCap = "round";
  world.tapes.forEach((tape, i) => {
    c.beginPath();
    trace(b, tape.points);
    if (isSame(chosen, "tape", i)) outline(b, Math.max(tape.width_m * camera.scale, 2) + 6);
    c.lineCap = "butt";
    c.strokeStyle = palette.text;
    c.lineWidth = Math.max(tape.width_m * camera.scale, 2);
    c.stroke();
    c.lineCap = "round";
  });
  c.beginPath();
  for (const disc of world.discs) ring(b, disc.at, disc.radius_m * camera.scale);
  for (const polygon of world.polygons) trace(b, polygon.corners, true);
  c.fillStyle = palette.solid;
  c.fill();
  c.strokeStyle = palette.wall;
  c.lineWidth = 1.5;
  c.stroke();
  c.beginPath();
  for (const wall of world.walls) trace(b, [wall.from, wall.to]);
  trace(b, [world.bounds[0], [world.bounds[1][0], world.bounds[0][1]], world.bounds[1],
    [world.bounds[0][0], world.bounds[1][1]]], true);
  c.lineWidth = 3;
  c.stroke();
  if (!chosen) return;
  c.beginPath();
  const [disc, polygon, wall] = [world.discs[chosen.index], world.polygons[chosen.index], world.walls[chosen.index]];
  if (chosen.kind === "disc" && disc) ring(b, disc.at, disc.radius_m * camera.scale);
  if (chosen.kind === "polygon" && polygon) trace(b, polygon.corners, true);
  if (chosen.kind === "wall" && wall) trace(b, [wall.from, wall.to]);
  outline(b, 4);
}

function outline({ c, palette }: Brush, width: number): void {
  c.strokeStyle = palette.accent;
  c.lineWidth = width;
  c.stroke();
}

/** Stations with their funnel and state, and beacons. */
export function drawPosts(b: Brush, world: WorldStage, now: WorldFrame | null, chosen: Thing | null): void {
  const { c, camera, palette } = b;
  now?.stations.forEach((station, i) => {
    const stage = world.stations[i];
    if (!stage) return;
    const [x, y] = camera.toScreen(station.at);
    const colour = !station.is_on ? palette.quiet : station.state === "charging" ? palette.good : palette.accent;
    // The opening through which a robot comes in.
    const reach = Math.max(3 * stage.contact_m, 0.25) * camera.scale;
    if (stage.funnel_rad > 0 && stage.funnel_rad < Math.PI) {
      c.beginPath();
      c.moveTo(x, y);
      c.arc(x, y, reach, -station.facing_rad - stage.funnel_rad, -station.facing_rad + stage.funnel_rad);
      c.closePath();
      c.globalAlpha = 0.16;
      c.fillStyle = colour;
      c.fill();
      c.globalAlpha = 0.6;
      c.strokeStyle = colour;
      c.lineWidth = 1;
      c.stroke();
      c.globalAlpha = 1;
    }
    c.save();
    c.translate(x, y);
    c.rotate(-station.facing_rad);
    const half = Math.max(0.05 * camera.scale, 7);
    c.fillStyle = colour;
    c.fillRect(-half * 0.7, -half, half * 0.7, 2 * half);
    c.strokeStyle = isSame(chosen, "station", i) ? palette.accent : palette.text;
    c.lineWidth = isSame(chosen, "station", i) ? 3 : 1.5;
    c.strokeRect(-half * 0.7, -half, half * 0.7, 2 * half);
    c.restore();
    const words = station.is_on ? `station: ${station.state}` : "station: off";
    const width = words.length * 6.5;
    text(b, words, Math.min(x + 10, camera.width - width), Math.max(y - half - 6, 14), palette.text);
  });
  world.beacons.forEach((at, i) => {
    const [x, y] = camera.toScreen(at);
    c.beginPath();
    c.moveTo(x, y - 9);
    c.lineTo(x + 8, y);
    c.lineTo(x, y + 9);
    c.lineTo(x - 8, y);
    c.closePath();
    c.fillStyle = palette.series[3] ?? palette.accent;
    c.fill();
    c.strokeStyle = isSame(chosen, "beacon", i) ? palette.accent : palette.text;
    c.lineWidth = isSame(chosen, "beacon", i) ? 3 : 1;
    c.stroke();
    text(b, "beacon", x + 11, y + 4, palette.quiet);
  });
}
