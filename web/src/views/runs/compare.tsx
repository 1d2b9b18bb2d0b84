// Two runs in step: the same ticks, side by side, and where they part.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { describe, lab } from "../../lab";
import { Aside } from "../../link/open";
import type { Frame, Point, Source, Stage } from "../../protocol";
import { clear, disc, robot, room } from "../../ui/brush";
import { Camera, Canvas } from "../../ui/canvas";
import { colours } from "../../ui/colours";
import { number } from "../../ui/text";

interface Side {
  /** `built:NAME`, `recording:NAME` or `here` for what is loaded now. */
  what: string;
  seed: string;
  condition: string;
}

interface Moment {
  tick: number;
  /** First tick at which the states differed, if they did. */
  parted: number | null;
  distances: number[];
  frames: [Frame | null, Frame | null];
  stages: [Stage | null, Stage | null];
}

function sourceOf(what: string): Source {
  const [kind, name = ""] = what.split(/:(.*)/s, 2);
  return kind === "recording" ? { from: "recording", name } : { from: "built_in", name };
}

export function Compare() {
  const first = lab.stage.value?.name ?? "one-life";
  const [sides, setSides] = useState<[Side, Side]>([
    { what: `built:${first}`, seed: "1", condition: "" },
    { what: `built:${first}`, seed: "2", condition: "" },
  ]);
  const [moment, setMoment] = useState<Moment | null>(null);
  const [problem, setProblem] = useState("");
  const [isRunning, setRunning] = useState(false);
  const pair = useRef<[Aside, Aside] | null>(null);
  const close = () => {
    pair.current?.forEach((aside) => aside.link.close());
    pair.current = null;
  };
  useEffect(() => close, []);

  const open = async () => {
    close();
    setRunning(false);
    setProblem("");
    const kind = lab.link.value?.kind ?? "browser";
    const both: [Aside, Aside] = [new Aside(kind), new Aside(kind)];
    pair.current = both;
    try {
      await Promise.all(both.map((aside, i) => {
        const side = sides[i]!;
        return aside.link.ask({
          do: "load",
          source: sourceOf(side.what),
          seed: side.seed === "" ? null : Number(side.seed),
          condition: side.condition || null,
        });
      }));
      await Promise.all(both.map((aside) => aside.shown(0)));
      show(both, partedAt(both, null), apart(both[0].frame, both[1].frame));
    } catch (error) {
      setProblem(describe(error));
      close();
      setMoment(null);
    }
  };
  const show = (both: [Aside, Aside], parted: number | null, distances: number[]) =>
    setMoment({
      tick: both[0].frame?.tick ?? 0,
      parted,
      distances,
      frames: [both[0].frame, both[1].frame],
      stages: [both[0].stage, both[1].stage],
    });
  const step = async (ticks: number) => {
    const both = pair.current;
    if (!both || !moment) return;
    await Promise.all(both.map(async (aside) => {
      const to = (aside.frame?.tick ?? 0) + ticks;
      await aside.link.ask({ do: "step", ticks });
      await aside.shown(to);
    }));
    show(both, partedAt(both, moment.parted), apart(both[0].frame, both[1].frame));
  };
  const seek = async (tick: number) => {
    const both = pair.current;
    if (!both) return;
    await Promise.all(both.map(async (aside) => {
      await aside.link.ask({ do: "seek", tick });
      await aside.shown(tick);
    }));
    const parted = moment?.parted ?? null;
    show(both, parted !== null && parted <= tick ? parted : null, apart(both[0].frame, both[1].frame));
  };
  const attempt = (work: Promise<void>) => void work.catch((error: unknown) => setProblem(describe(error)));
  const latest = useRef(step);
  latest.current = step;
  useEffect(() => {
    if (!isRunning) return;
    let isOn = true;
    const loop = async () => {
      while (isOn) {
        try {
          await latest.current(ticksPerPicture(moment?.stages[0] ?? null));
        } catch (error) {
          setProblem(describe(error));
          setRunning(false);
          return;
        }
        await new Promise((next) => setTimeout(next, 33));
      }
    };
    void loop();
    return () => {
      isOn = false;
    };
  }, [isRunning]);

  return (
    <section class="panel">
      <h2>Two runs in step</h2>
      <p class="quiet small">Both are stepped by the same ticks. Equal runs have equal hashes at every tick.</p>
      <div class="columns pair">
        {sides.map((side, i) => (
          <fieldset key={i} class="row small">
            <legend>Run {i === 0 ? "A" : "B"}</legend>
            <label>
              what{" "}
              <select value={side.what} onChange={(e) => setSides(replace(sides, i, { what: e.currentTarget.value }))}>
                {lab.entries.value.map((entry) => <option key={entry.name} value={`built:${entry.name}`}>{entry.name}</option>)}
                {lab.recordings.value.map((r) => <option key={r.name} value={`recording:${r.name}`}>recording {r.name}</option>)}
              </select>
            </label>
            <label>seed <input type="number" min="0" value={side.seed} onInput={(e) => setSides(replace(sides, i, { seed: e.currentTarget.value }))} /></label>
            <label>
              condition{" "}
              <select value={side.condition} onChange={(e) => setSides(replace(sides, i, { condition: e.currentTarget.value }))}>
                <option value="">as in the file</option>
                {lab.conditions.value.map((name) => <option key={name} value={name}>{name}</option>)}
              </select>
            </label>
          </fieldset>
        ))}
      </div>
      <div class="row">
        <button type="button" id="compare-open" onClick={() => void open()}>Open both</button>
        <button type="button" id="compare-play" class="primary" disabled={!moment} aria-pressed={isRunning} onClick={() => setRunning(!isRunning)}>
          {isRunning ? "Pause" : "Play"}
        </button>
        <button type="button" id="compare-step" disabled={!moment} onClick={() => attempt(step(1))}>Step</button>
        <button type="button" disabled={!moment?.tick} onClick={() => attempt(seek(Math.max(0, (moment?.tick ?? 1) - 1)))}>Back</button>
        <output id="compare-said" aria-live="polite">
          {moment
            ? `tick ${moment.tick}: ${moment.parted === null ? "equal so far" : `states differ since tick ${moment.parted}`}${
                moment.distances.length ? `; robots ${moment.distances.map((d) => number(d, 3)).join(", ")} m apart` : ""}`
            : "Open both runs first."}
        </output>
      </div>
      {problem && <pre class="bad" role="alert">{problem}</pre>}
      {moment && (
        <div class="columns pair">
          <Picture name="A" stage={moment.stages[0]} frame={moment.frames[0]} />
          <Picture name="B" stage={moment.stages[1]} frame={moment.frames[1]} />
        </div>
      )}
    </section>
  );
}

function replace(sides: [Side, Side], i: number, part: Partial<Side>): [Side, Side] {
  return sides.map((side, k) => (k === i ? { ...side, ...part } : side)) as [Side, Side];
}

/** The tick at which the two parted: the known one, or that of these frames when they differ. */
function partedAt([a, b]: [Aside, Aside], known: number | null): number | null {
  return known ?? (a.frame?.hash === b.frame?.hash ? null : (a.frame?.tick ?? 0));
}

/** Real time at 30 pictures per second. */
function ticksPerPicture(stage: Stage | null): number {
  const [numerator = 1, denominator = 20] = stage?.step ?? [];
  return Math.max(1, Math.round(denominator / numerator / 30));
}

/** Distance between robots of the same number. */
function apart(a: Frame | null, b: Frame | null): number[] {
  const [one, other] = [a?.robots?.robots ?? [], b?.robots?.robots ?? []];
  return one.slice(0, 4).flatMap((robot, i) => {
    const twin = other[i];
    return twin ? [Math.hypot(robot.at[0] - twin.at[0], robot.at[1] - twin.at[1])] : [];
  });
}

function Picture({ name, stage, frame }: { name: string; stage: Stage | null; frame: Frame | null }) {
  const camera = useMemo(() => new Camera(), []);
  const world = stage?.robots;
  if (!world) return <p class="quiet">Run {name}: {frame ? `hash ${frame.hash}` : "nothing"}; pictures are drawn for robots.</p>;
  const still = {
    bounds: world.bounds as [Point, Point],
    polygons: world.polygons.map((shape) => shape.corners as Point[]),
    walls: world.walls.map((wall) => [wall.from, wall.to] as [Point, Point]),
    discs: world.discs.map((d) => ({ at: d.at as Point, radius_m: d.radius_m })),
  };
  const draw = (c: CanvasRenderingContext2D, view: Camera) => {
    const b = { c, camera: view, palette: colours() };
    clear(b);
    room(b, still);
    for (const station of frame?.robots?.stations ?? []) disc(b, station.at as Point, 0.05, b.palette.light);
    frame?.robots?.robots.forEach((now, i) => {
      const colour = b.palette.series[i % 8] ?? b.palette.accent;
      robot(b, now.at as Point, now.heading_rad, world.robots[i]?.radius_m ?? 0.06, colour);
    });
  };
  return (
    <figure class="scene">
      <figcaption class="small">Run {name}: {stage.name}, seed {stage.seed}, hash <code>{frame?.hash}</code></figcaption>
      <Canvas label={`Run ${name}`} camera={camera} bounds={world.bounds as [Point, Point]} fitKey={stage.name} draw={draw} />
    </figure>
  );
}
