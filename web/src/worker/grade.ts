// Grading in this browser: a worker of its own, so that the table goes on meanwhile and a program
// that never ends can be stopped with it.
import type { Graded, GradeRequest, Progress } from "../views/robot-lab/grader";

/** What the grading worker says. */
export type GradeMessage = { done: number; of: number } | Graded | { error: string };

/** How often the worker is looked at, ms, and the silent looks after which it is taken for hanging. */
const [LOOK_MS, LOOKS] = [200, 5];

export function gradeInBrowser(request: GradeRequest, progress: Progress, signal: AbortSignal): Promise<Graded> {
  const worker = new Worker(new URL("./grade-worker.ts", import.meta.url), { type: "module" });
  // It speaks when it is loaded and then whenever a program gets its turn.
  let silent: number | null = null;
  let timer = 0;
  return new Promise<Graded>((done, failed) => {
    timer = window.setInterval(() => {
      if (silent !== null && ++silent > LOOKS) {
        failed(new Error("stopped: the program did not come to an end within a second; is there an endless loop?"));
      }
    }, LOOK_MS);
    worker.onmessage = ({ data }: MessageEvent<GradeMessage>) => {
      silent = 0;
      if ("error" in data) failed(new Error(data.error));
      else if ("grade" in data) done(data);
      else progress(data.done, data.of);
    };
    worker.onerror = (event) => failed(new Error(event.message || "the grading worker could not start; reload this page"));
    signal.addEventListener("abort", () => failed(new Error("stopped")));
    worker.postMessage(request);
  }).finally(() => {
    clearInterval(timer);
    worker.terminate();
  });
}
