// Grading behind the page: lines of JSON, progress first, the grade last.
import { refusal } from "../../ui/text";

export interface GradeRequest {
  task: string;
  file: { name: string; text: string };
  seeds: number;
}

export interface Rate {
  successes: number;
  trials: number;
  share: number;
  interval: { low: number; high: number };
}

export interface Attempt {
  start: number;
  outcome: string;
  message: string;
  crashes: number;
  time_s: number;
}

export interface GradeDocument {
  controller: string;
  task: string;
  passes_when: string;
  passed: Rate;
  crashed: Rate;
  attempts: Attempt[];
}

export interface Graded {
  /** Measures as the command prints them. */
  table: string;
  grade: GradeDocument;
}

export type Progress = (done: number, of: number) => void;

type Line = Partial<Graded> & { done?: number; of?: number; error?: string };

/** Grades on the server this page came from. */
export async function gradeOnServer(request: GradeRequest, progress: Progress, signal: AbortSignal): Promise<Graded> {
  const reply = await fetch(new URL("api/grade", location.href), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
    signal,
  });
  if (!reply.ok || !reply.body) throw new Error(refusal(await reply.text()) || `the server answered ${reply.status}`);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let [rest, graded] = ["", null as Graded | null];
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    for (const text of lines) graded = take(text, progress) ?? graded;
    if (done) break;
  }
  if (!graded) throw new Error("the server stopped before it was done; grade again");
  return graded;
}

function take(text: string, progress: Progress): Graded | null {
  if (!text.trim()) return null;
  const line = JSON.parse(text) as Line;
  if (line.error !== undefined) throw new Error(line.error);
  if (line.done !== undefined && line.of !== undefined) progress(line.done, line.of);
  return line.grade ? { table: line.table ?? "", grade: line.grade } : null;
}
