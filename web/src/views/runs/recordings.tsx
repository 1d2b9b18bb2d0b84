// A recording holds what was loaded and everything asked, tick by tick: replaying it gives the run again.
import { useEffect } from "preact/hooks";
import { lab } from "../../lab";
import { choose, download } from "../../ui/text";

export function Recordings() {
  const stage = lab.stage.value;
  const recording = lab.frame.value?.recording ?? null;
  useEffect(() => void lab.list(), []);
  const start = async () => {
    await lab.ask({ do: "record" });
  };
  const stop = async () => {
    const outcome = await lab.ask({ do: "stop_recording" });
    if (outcome?.kind === "document") download(outcome.name, outcome.text, "application/x-ndjson");
    await lab.list();
  };
  const open = async () => {
    const file = await choose(".jsonl,.json,.tropism,application/x-ndjson");
    if (file) await lab.ask({ do: "load", source: { from: "text", file: { name: file.name, text: await file.text() }, files: [] } });
  };
  const fetchOne = async (name: string) => {
    const outcome = await lab.ask({ do: "recording", name });
    if (outcome?.kind === "document") download(outcome.name, outcome.text, "application/x-ndjson");
  };
  return (
    <section class="panel">
      <h2>Recordings</h2>
      <p class="quiet small">
        A recording holds what was loaded and everything asked, with its tick; loading it replays the run, and Back and the
        slider above scrub it. {stage?.is_recording ? "What is loaded now is a recording." : ""}
      </p>
      <div class="row">
        {recording ? (
          <button type="button" id="stop-recording" class="primary" onClick={() => void stop()}>Stop and download {recording}</button>
        ) : (
          <button type="button" id="record" disabled={!stage} onClick={() => void start()}>Record</button>
        )}
        <button type="button" id="open-recording" onClick={() => void open()}>Open a recording…</button>
      </div>
      {lab.recordings.value.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Recordings kept">
          <table id="recordings">
            <thead><tr><th>name</th><th class="n">ticks</th><th class="n">bytes</th><th>ends</th><th><span class="hidden">what to do</span></th></tr></thead>
            <tbody>
              {lab.recordings.value.map((r) => (
                <tr key={r.name}>
                  <th scope="row">{r.name}</th>
                  <td class="n">{r.ticks}</td>
                  <td class="n">{r.bytes}</td>
                  <td>{r.is_cut ? <span class="bad">cut: the program was stopped</span> : "as it was ended"}</td>
                  <td class="row">
                    <button type="button" onClick={() => void lab.ask({ do: "load", source: { from: "recording", name: r.name } })}>Load</button>
                    <button type="button" onClick={() => void fetchOne(r.name)}>Download</button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
