// Ratings in this browser, as CSV: one row per clip, written after every answer.
import type { Study } from "./file";

export interface Rating {
  clip: string;
  rating: number;
  /** Which clip of the rater's it was, from 1. */
  position: number;
  /** From the start of the clip to the answer. */
  seconds: number;
}

const HEAD = "study,rater,clip,rating,position,seconds";
const key = (study: Study, rater: string) => `tropism-study/${study.id}/${rater}`;
const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export function csv(study: Study, rater: string): string {
  return localStorage.getItem(key(study, rater)) ?? `${HEAD}\n`;
}

export function answered(study: Study, rater: string): Rating[] {
  const known = new Set(study.clips.map((c) => c.id));
  return csv(study, rater)
    .split("\n")
    .slice(1)
    .filter(Boolean)
    .map((line) => line.split(",").slice(-4))
    .map(([clip = "", rating, position, seconds]) => ({ clip, rating: Number(rating), position: Number(position), seconds: Number(seconds) }))
    .filter((r) => known.has(r.clip) && Number.isFinite(r.rating));
}

export function remember(study: Study, rater: string, { clip, rating, position, seconds }: Rating): Rating[] {
  const line = [quote(study.id), quote(rater), clip, rating, position, seconds].join(",");
  localStorage.setItem(key(study, rater), `${csv(study, rater)}${line}\n`);
  return answered(study, rater);
}

export function forget(study: Study, rater: string): void {
  localStorage.removeItem(key(study, rater));
}

/** Who has ratings of this study in this browser. */
export function stored(study: Study): string[] {
  const start = key(study, "");
  return Object.keys(localStorage).filter((k) => k.startsWith(start)).map((k) => k.slice(start.length)).sort();
}
