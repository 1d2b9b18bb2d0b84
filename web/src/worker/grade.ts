// Grading in this browser: a worker of its own, so that the table goes on meanwhile and a program
// that never ends can be stopped with it.
import type { Graded, GradeRequest, Progress } from "../views/robot-lab/grader";

/** What the grading worker says. */
export type GradeMessage = { done: number; of: number } | Graded | { error: string };

export function gradeInBrowser(request: GradeRequest, progress: Progress, signal: AbortSignal): Promise<Graded> {
  const worker = new Worker(new URL("./grade-worker.ts", import.meta.url), { type: "module" });
  return new Promise<Graded>((done, failed) => {
    worker.onmessage = ({ data }: MessageEvent<GradeMessage>) => {
      if ("error" in data) failed(new Error(data.error));
      else if ("grade" in data) done(data);
      else progress(data.done, data.of);
    };
    worker.onerror = (event) => failed(new Error(event.message || "the grading worker could not start; reload this page"));
    signal.addEventListener("abort", () => failed(new Error("stopped")));
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
