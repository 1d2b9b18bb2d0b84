// One clip, played once through; again on request.
import { useEffect, useMemo, useState } from "preact/hooks";
import { clear, disc, robot, room } from "../../ui/brush";
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
  const draw = (c: CanvasRenderingContext2D, view: Camera) => {
    const b = { c, camera: view, palette: colours() };
    clear(b);
    room(b, study);
    for (const station of study.stations) disc(b, station, 0.04, b.palette.light);
    const [x, y, heading] = clip.poses[at] ?? [0, 0, 0];
    robot(b, [x, y], heading, study.radius_m, b.palette.accent);
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
