// Life states: taken away as a file, given to this or another body.
import { useState } from "preact/hooks";
import { describe, lab } from "../../lab";
import { choose, download } from "../../ui/text";

/** Larger files are refused before they are read: no life state comes near it. */
const BYTES_MAX = 262_144;

export function LifeState() {
  const [report, setReport] = useState<{ isBad: boolean; text: string } | null>(null);
  const robot = lab.watched.value;
  const save = async () => {
    const outcome = await lab.ask({ do: "life_state", robot });
    if (outcome?.kind === "life_state") download("life-state.json", outcome.document, "application/json");
  };
  const give = async () => {
    const file = await choose(".json,application/json");
    if (!file) return;
    if (file.size > BYTES_MAX) {
      setReport({ isBad: true, text: `${file.name} has ${file.size} bytes; a life state has at most ${BYTES_MAX}. The creature is as it was.` });
      return;
    }
    try {
      const outcome = await lab.tell({ do: "give_life_state", robot, document: await file.text() });
      if (outcome.kind === "transfer") setReport({ isBad: false, text: `${file.name}\n${outcome.report}` });
    } catch (error) {
      setReport({ isBad: true, text: `${file.name} was refused: ${describe(error)}\nThe creature is as it was.` });
    }
  };
  return (
    <section class="panel">
      <h2>Life state</h2>
      <p class="quiet small">Everything that shapes its behaviour: needs, memories, reflexes, habituation, streams.</p>
      <div class="row">
        <button type="button" id="save-life" onClick={() => void save()}>Download</button>
        <button type="button" id="give-life" onClick={() => void give()}>Upload…</button>
      </div>
      <pre id="life-report" class={report?.isBad ? "bad" : ""} aria-live="polite">{report?.text ?? ""}</pre>
    </section>
  );
}
