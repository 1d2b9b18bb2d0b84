// The thread that grades; it is ended with a program that never ends.
import type { GradeDocument, GradeRequest } from "../views/robot-lab/grader";
import { laboratory } from "./laboratory";
import type { GradeMessage } from "./grade";

/** Shortest time between two signs of life, ms. */
const BEAT_MS = 100;

const tell = (message: GradeMessage) => postMessage(message);

async function grade({ task, file, seeds }: GradeRequest): Promise<void> {
  // Counted here: the grader cannot be asked while it makes an attempt, which is when a script beats.
  let [beaten, made] = [0, 0];
  const beat = () => {
    const now = performance.now();
    if (now - beaten < BEAT_MS) return;
    beaten = now;
    tell({ done: made, of: seeds });
  };
  const module = await laboratory(beat, (error) => tell({ error }));
  beat();
  const grading = new module.Grader(task, file.name, file.text, seeds);
  while (grading.attempt()) {
    made += 1;
    beat();
  }
  const [json = "", table = ""] = grading.summary();
  tell({ table, grade: JSON.parse(json) as GradeDocument });
}

onmessage = (event: MessageEvent<GradeRequest>) => {
  grade(event.data).catch((error: unknown) => tell({ error: error instanceof Error ? error.message : String(error) }));
};
