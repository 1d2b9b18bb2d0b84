// The network's file, edited in place: a faulty text is refused at its line, the running one goes on.
import { useEffect, useState } from "preact/hooks";
import { describe, lab } from "../../lab";
import { Refusal } from "../../link/link";
import type { DynamicsStage } from "../../protocol";
import { Editor, type Mark } from "../../ui/editor";
import { choose, download } from "../../ui/text";

export function SpecEditor({ stage, line, isWaiting }: { stage: DynamicsStage; line: number; isWaiting: boolean }) {
  const [text, setText] = useState(stage.text);
  const [marks, setMarks] = useState<Mark[]>([]);
  const [said, say] = useState<{ isBad: boolean; text: string } | null>(null);
  const name = lab.stage.value?.name ?? "network";
  useEffect(() => {
    setText(stage.text);
    setMarks(stage.warnings.map((w) => ({ line: w.line, column: w.column, text: w.text, severity: "warning" as const })));
  }, [stage.text, name]);
  const apply = async () => {
    try {
      await lab.tell({ do: "spec", text });
      setMarks([]);
      say({ isBad: false, text: "Accepted; it takes over at the next tick that all levels share." });
    } catch (error) {
      const places = error instanceof Refusal ? (error.fault.places ?? []) : [];
      setMarks(places.map((p) => ({ line: p.line, column: p.column, text: p.text, severity: "error" as const })));
      say({ isBad: true, text: `${describe(error)}\nThe running network is as it was.` });
    }
  };
  const load = async () => {
    const file = await choose(".toml");
    if (file) void lab.ask({ do: "load", source: { from: "text", file: { name: file.name, text: await file.text() }, files: [] } });
  };
  return (
    <section class="panel">
      <h2>File</h2>
      <div class="row">
        <button type="button" id="apply-spec" class="primary" title="Ctrl-Enter" onClick={() => void apply()}>Take over</button>
        <button type="button" disabled={text === stage.text} onClick={() => setText(stage.text)}>Back to the running one</button>
        <button type="button" onClick={() => download(`${name}.toml`, text)}>Download</button>
        <button type="button" onClick={() => void load()}>Load file…</button>
        <span class="quiet small">
          {isWaiting ? "An edit waits for its tick." : text === stage.text ? "This is what runs." : "Edited; not running yet."}
          {line ? ` The chosen node is declared in line ${line}.` : ""}
        </span>
      </div>
      <Editor id="spec" label="Text of the network" language="toml" value={text} marks={marks} jumps onChange={setText} onRun={() => void apply()} />
      <pre id="spec-report" class={said?.isBad ? "bad" : "quiet"} aria-live="polite">{said?.text ?? ""}</pre>
    </section>
  );
}
