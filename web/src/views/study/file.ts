// The study file that `tropism study make` writes. It names no condition: the key is a file of its own.
import type { Point } from "../../protocol";

export interface StudyClip {
  id: string;
  /** x m, y m, heading rad, at `rate_hz`. */
  poses: [number, number, number][];
}

export interface Study {
  format: "tropism-study";
  version: 1;
  id: string;
  title: string;
  question: string;
  scale: { min: number; max: number; low: string; high: string };
  rate_hz: number;
  radius_m: number;
  bounds: [Point, Point];
  walls: [Point, Point][];
  polygons: Point[][];
  discs: { at: Point; radius_m: number }[];
  stations: Point[];
  clips: StudyClip[];
}

/** The study, or what is wrong with the text. */
export function parse(name: string, text: string): Study | string {
  const wrong = (what: string) => `${name} ${what}; a study comes from \`tropism study make\``;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return wrong(`is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  const study = value as Partial<Study>;
  if (study?.format !== "tropism-study") return wrong("is no study: its `format` is not `tropism-study`");
  if (study.version !== 1) return wrong(`has version ${String(study.version)}; this page reads version 1`);
  if (!Array.isArray(study.clips) || study.clips.length === 0) return wrong("has no clips");
  const isPose = (p: unknown) => Array.isArray(p) && p.length === 3 && p.every((v) => typeof v === "number" && Number.isFinite(v));
  for (const [i, clip] of study.clips.entries()) {
    if (typeof clip?.id !== "string" || !Array.isArray(clip.poses) || clip.poses.length === 0 || !clip.poses.every(isPose)) {
      return wrong(`is damaged: clips[${i}] needs an id and poses of three numbers`);
    }
  }
  const isNumber = (v: unknown): v is number => typeof v === "number" && Number.isFinite(v);
  const { scale, rate_hz, radius_m, bounds } = study;
  if (!scale || !isNumber(scale.min) || !isNumber(scale.max) || scale.max <= scale.min || scale.max - scale.min > 20) return wrong("has no scale of 2 to 21 steps");
  if (!isNumber(rate_hz) || rate_hz <= 0 || !isNumber(radius_m) || !Array.isArray(bounds)) return wrong("lacks `rate_hz`, `radius_m` or `bounds`");
  return study as Study;
}

/** An order of the clips of the rater's own, the same at every visit: balances what comes first. */
export function orderFor(study: Study, rater: string): string[] {
  let state = 2166136261;
  for (const c of `${study.id} ${rater}`) state = Math.imul(state ^ c.charCodeAt(0), 16777619);
  const draw = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const ids = study.clips.map((c) => c.id);
  for (let i = ids.length - 1; i > 0; i--) {
    const k = Math.floor(draw() * (i + 1));
    [ids[i], ids[k]] = [ids[k]!, ids[i]!];
  }
  return ids;
}
