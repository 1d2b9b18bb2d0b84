// The robot that the network drives, in its scene.
import { useMemo, useRef } from "preact/hooks";
import { lab } from "../../lab";
import type { DynamicsStage, Point } from "../../protocol";
import { clear, disc, robot, room, trace } from "../../ui/brush";
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
  const draw = (c: CanvasRenderingContext2D, view: Camera) => {
    const b = { c, camera: view, palette: colours() };
    const { palette } = b;
    clear(b);
    if (stage.walls) room(b, { bounds: stage.walls as [Point, Point], polygons: [], walls: [], discs: [] });
    for (const d of stage.discs) disc(b, d.at as Point, d.radius_m, palette.solid);
    if (stage.goal) disc(b, stage.goal as Point, 0.05, palette.light);
    if (!scene) return;
    c.strokeStyle = palette.accent;
    c.lineWidth = 1.5;
    c.beginPath();
    trace(b, way.points);
    c.stroke();
    c.strokeStyle = palette.grid;
    c.lineWidth = 1;
    c.beginPath();
    const at = scene.at as Point;
    for (const [angle, length] of scene.rays as Point[]) {
      const turn = scene.heading_rad + angle;
      trace(b, [at, [at[0] + length * Math.cos(turn), at[1] + length * Math.sin(turn)]]);
    }
    c.stroke();
    if (scene.ball) disc(b, scene.ball as Point, stage.ball_radius_m, palette.bad);
    robot(b, at, scene.heading_rad, stage.robot_radius_m, palette.accent);
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
