// Grades the program from many starts.
import { useRef, useState } from "preact/hooks";
import { lab } from "../../lab";
import { describe } from "../../lab";
import { number, words } from "../../ui/text";
import { gradeOnServer, type Graded } from "./grader";
import { FILE, save, task, text } from "./program";
import { keepVersion } from "./versions";
import { gradeInBrowser } from "../../worker/grade";

type State =
  | { at: "none" }
  | { at: "running"; done: number; of: number }
  | { at: "done"; graded: Graded; text: string; task: string }
  | { at: "failed"; why: string };

export function Grade() {
  const [state, setState] = useState<State>({ at: "none" });
  const [seeds, setSeeds] = useState(200);
  const stop = useRef<AbortController | null>(null);
  const begin = async () => {
    const [graded, id] = [text.value, task.value.id];
    save();
    keepVersion(id, graded, "grading");
    const abort = new AbortController();
    stop.current = abort;
    setState({ at: "running", done: 0, of: seeds });
    const grader = lab.link.value?.kind === "browser" ? gradeInBrowser : gradeOnServer;
    const request = { task: id, file: { name: FILE, text: graded }, seeds };
    try {
      const result = await grader(request, (done, of) => setState({ at: "running", done, of }), abort.signal);
      setState({ at: "done", graded: result, text: graded, task: id });
    } catch (error) {
      setState(abort.signal.aborted ? { at: "none" } : { at: "failed", why: describe(error) });
    }
  };
  return (
    <section class="panel" aria-label="Grading">
      <h2>Grade</h2>
      <p class="quiet">Passed when: {task.value.passes}</p>
      <div class="row">
        <label>
          <input
            id="grade-seeds"
            type="number"
            class="number"
            min={1}
            max={2000}
            value={seeds}
            onChange={(event) => setSeeds(Math.min(Math.max(Math.round(event.currentTarget.valueAsNumber || 200), 1), 2000))}
          />{" "}
          starts
        </label>
        {state.at === "running" ? (
          <button type="button" id="grade-stop" onClick={() => stop.current?.abort()}>Stop</button>
        ) : (
          <button type="button" id="grade" onClick={() => void begin()}>Grade</button>
        )}
      </div>
      {state.at === "running" && (
        <label class="progress">
          {state.done} of {state.of} starts{" "}
          <progress id="grade-progress" max={state.of} value={state.done} />
        </label>
      )}
      <div role="status">
        {state.at === "failed" && <p class="bad" id="grade-failed">{state.why}</p>}
        {state.at === "done" && <Result state={state} />}
      </div>
    </section>
  );
}

function Result({ state }: { state: Extract<State, { at: "done" }> }) {
  const { grade } = state.graded;
  const { passed, crashed, attempts } = grade;
  const isOther = state.text !== text.value || state.task !== task.value.id;
  const failed = attempts.filter((a) => a.outcome !== "passed");
  const counts = new Map<string, number>();
  for (const { outcome } of attempts) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return (
    <>
      <p id="grade-result">
        <strong class={passed.share === 1 ? "good" : undefined}>{passed.successes}/{passed.trials} passed</strong>
        {" "}({number(passed.share * 100, 1)} %, 95 % interval {number(passed.interval.low * 100, 1)} to{" "}
        {number(passed.interval.high * 100, 1)} %); {crashed.successes} touched something.
      </p>
      {isOther && <p class="quiet">This was graded: {state.task}, with an earlier text.</p>}
      <ul class="outcomes">
        {[...counts].map(([outcome, count]) => <li key={outcome}>{words(outcome)}: {count}</li>)}
      </ul>
      {failed.length > 0 && (
        <details open>
          <summary>Starts that did not pass</summary>
          <div class="scroll short">
            <table>
              <thead>
                <tr><th scope="col" class="n">start</th><th scope="col">ended</th><th scope="col" class="n">after s</th><th scope="col">message</th></tr>
              </thead>
              <tbody>
                {failed.slice(0, 200).map((a) => (
                  <tr key={a.start}>
                    <th scope="row" class="n">{a.start}</th><td>{words(a.outcome)}</td>
                    <td class="n">{number(a.time_s)}</td><td>{a.message}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
      {state.graded.table && (
        <details>
          <summary>Measures</summary>
          <pre class="scroll" id="grade-table">{state.graded.table}</pre>
        </details>
      )}
    </>
  );
}
