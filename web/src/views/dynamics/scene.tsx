// The robot that the network drives, in its scene.
import { useMemo, useRef } from "preact/hooks";
import { lab } from "../../lab";
import type { DynamicsStage, Point } from "../../protocol";
import { Camera, Canvas } from "../../ui/canvas";
import { colours } from "../../ui/colours";
import { number } from "../../ui/text";

const TRAIL = 3000;

function bounds(stage: DynamicsStage): [Point, Point] {
  if (stage.walls) return stage.walls as [Point, Point];
  const points = [[0, 0] as Point, ...stage.discs.map((d) => d.at as Point), ...(stage.goal ? [stage.goal as Point] : [])];
  const xs = points.map((p) => p[0]);
  const ys = points.map((p) => p[1]);
  return [[Math.min(...xs) - 1, Math.min(...ys) - 1], [Math.max(...xs) + 1, Math.max(...ys) + 1]];
}

export function SceneView({ stage }: { stage: DynamicsStage }) {
  const camera = useMemo(() => new Camera(), []);
  const trail = useRef<{ key: string; points: Point[]; time: number }>({ key: "", points: [], time: 0 });
  const frame = lab.frame.value;
  const scene = frame?.dynamics?.scene;
  const key = `${lab.stage.value?.name} ${stage.scene}`;
  const way = trail.current;
  if (way.key !== key || (frame && frame.time_s < way.time)) Object.assign(way, { key, points: [] });
  if (frame && scene && frame.time_s !== way.time) {
    way.points.push(scene.at as Point);
    if (way.points.length > TRAIL) way.points.splice(0, way.points.length - TRAIL);
    way.time = frame.time_s;
  }
  const draw = (context: CanvasRenderingContext2D, view: Camera) => {
    const c = colours();
    context.fillStyle = c.back;
    context.fillRect(0, 0, view.width, view.height);
    const disc = (at: Point, radius: number, fill: string) => {
      const [x, y] = view.toScreen(at);
      context.beginPath();
      context.arc(x, y, Math.max(radius * view.scale, 1.5), 0, 2 * Math.PI);
      context.fillStyle = fill;
      context.fill();
    };
    if (stage.walls) {
      const [low, high] = [view.toScreen(stage.walls[0] as Point), view.toScreen(stage.walls[1] as Point)];
      context.strokeStyle = c.wall;
      context.lineWidth = 2;
      context.strokeRect(low[0], high[1], high[0] - low[0], low[1] - high[1]);
    }
    for (const d of stage.discs) disc(d.at as Point, d.radius_m, c.solid);
    if (stage.goal) disc(stage.goal as Point, 0.05, c.light);
    if (!scene) return;
    context.strokeStyle = c.accent;
    context.lineWidth = 1.5;
    context.beginPath();
    way.points.forEach((p, i) => {
      const [x, y] = view.toScreen(p);
      if (i) context.lineTo(x, y);
      else context.moveTo(x, y);
    });
    context.stroke();
    context.strokeStyle = c.grid;
    context.lineWidth = 1;
    context.beginPath();
    const at = scene.at as Point;
    const [cx, cy] = view.toScreen(at);
    for (const [angle, length] of scene.rays as Point[]) {
      const turn = scene.heading_rad + angle;
      const end = view.toScreen([at[0] + length * Math.cos(turn), at[1] + length * Math.sin(turn)]);
      context.moveTo(cx, cy);
      context.lineTo(...end);
    }
    context.stroke();
    if (scene.ball) disc(scene.ball as Point, stage.ball_radius_m, c.bad);
    disc(at, stage.robot_radius_m, c.accent);
    context.strokeStyle = c.back;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(cx, cy);
    context.lineTo(...view.toScreen([at[0] + stage.robot_radius_m * Math.cos(scene.heading_rad), at[1] + stage.robot_radius_m * Math.sin(scene.heading_rad)]));
    context.stroke();
  };
  return (
    <section class="panel scene">
      <h2>Scene: {stage.scene}</h2>
      <Canvas
        label="The robot in its scene"
        description={scene ? `Robot at ${number(scene.at[0])} m, ${number(scene.at[1])} m, heading ${number((scene.heading_rad * 180) / Math.PI, 0)} degrees.` : "No robot yet."}
        camera={camera}
        bounds={bounds(stage)}
        fitKey={key}
        draw={draw}
      />
      {scene?.ending && <p role="status">The run has ended: {scene.ending}. Reset starts it again.</p>}
    </section>
  );
}
