// One clip, played once through; again on request.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Point } from "../../protocol";
import { Camera, Canvas } from "../../ui/canvas";
import { colours } from "../../ui/colours";
import type { Study, StudyClip } from "./file";

export function Clip({ study, clip, onEnd }: { study: Study; clip: StudyClip; onEnd(): void }) {
  const camera = useMemo(() => new Camera(), []);
  const [at, setAt] = useState(0);
  const [round, again] = useState(0);
  const last = clip.poses.length - 1;
  useEffect(() => {
    let handle = 0;
    const start = performance.now();
    const draw = () => {
      const now = Math.min(Math.floor(((performance.now() - start) / 1000) * study.rate_hz), last);
      setAt(now);
      if (now < last) handle = requestAnimationFrame(draw);
      else onEnd();
    };
    handle = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(handle);
  }, [clip.id, round]);
  const draw = (context: CanvasRenderingContext2D, view: Camera) => {
    const c = colours();
    context.fillStyle = c.back;
    context.fillRect(0, 0, view.width, view.height);
    const line = (points: Point[], isClosed: boolean) => {
      points.forEach((p, i) => (i ? context.lineTo(...view.toScreen(p)) : context.moveTo(...view.toScreen(p))));
      if (isClosed) context.closePath();
    };
    const disc = (centre: Point, radius: number) => {
      context.beginPath();
      context.arc(...view.toScreen(centre), radius * view.scale, 0, 2 * Math.PI);
      context.fill();
    };
    const [low, high] = study.bounds;
    context.strokeStyle = c.wall;
    context.lineWidth = 2;
    context.beginPath();
    line([low, [high[0], low[1]], high, [low[0], high[1]]], true);
    for (const polygon of study.polygons) line(polygon, true);
    for (const wall of study.walls) line(wall, false);
    context.stroke();
    context.fillStyle = c.solid;
    for (const d of study.discs) disc(d.at, d.radius_m);
    context.fillStyle = c.light;
    for (const station of study.stations) disc(station, 0.04);
    const [x, y, heading] = clip.poses[at] ?? [0, 0, 0];
    context.fillStyle = c.accent;
    disc([x, y], study.radius_m);
    context.strokeStyle = c.back;
    context.lineWidth = 2.5;
    context.beginPath();
    line([[x, y], [x + study.radius_m * Math.cos(heading), y + study.radius_m * Math.sin(heading)]], false);
    context.stroke();
  };
  return (
    <>
      <Canvas
        label="The clip"
        description={`A creature in a room, ${(at / study.rate_hz).toFixed(0)} of ${(last / study.rate_hz).toFixed(0)} seconds.`}
        camera={camera}
        bounds={study.bounds}
        fitKey={clip.id}
        draw={draw}
      />
      <div class="row">
        <progress max={last} value={at} aria-label="Position in the clip" />
        <button type="button" disabled={at < last} onClick={() => again(round + 1)}>Show it again</button>
      </div>
    </>
  );
}
