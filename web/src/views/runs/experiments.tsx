// Experiments on the server: started, followed, read.
import { useEffect, useState } from "preact/hooks";
import { lab } from "../../lab";
import { choose, refusal } from "../../ui/text";

interface Experiment {
  name: string;
  about: string;
  runs_done: number;
  runs_total: number;
  is_running: boolean;
  seconds_left: number | null;
  has_report: boolean;
  error: string | null;
}

async function get<T>(path: string, init?: RequestInit): Promise<T> {
  const reply = await fetch(new URL(path, location.href), init);
  if (!reply.ok) throw new Error(refusal(await reply.text()));
  return (await reply.json()) as T;
}

export function Experiments() {
  if (lab.link.value?.kind !== "server") {
    return (
      <section class="panel">
        <h2>Experiments</h2>
        <p class="quiet">
          Many seeds and conditions need a machine of your own: run <code>tropism lab</code> and open the address it prints,
          or <code>tropism experiment scenarios/organism/first-look.toml</code> in a terminal.
        </p>
      </section>
    );
  }
  return <OnServer />;
}

function OnServer() {
  const [list, setList] = useState<Experiment[]>([]);
  const [names, setNames] = useState<string[]>([]);
  const [chosen, choose_] = useState("");
  const [seeds, setSeeds] = useState("4");
  const [shown, show] = useState<string | null>(null);
  const refresh = async () => {
    try {
      setList((await get<{ experiments: Experiment[] }>("api/experiments")).experiments);
    } catch (error) {
      lab.notify("error", String(error));
    }
  };
  useEffect(() => {
    void refresh();
    void get<{ names: string[] }>("api/experiments/built-in").then((r) => {
      setNames(r.names);
      choose_(r.names[0] ?? "");
    }, () => {});
    const timer = setInterval(() => void refresh(), 1500);
    return () => clearInterval(timer);
  }, []);
  const start = async (body: object) => {
    try {
      await get("api/experiments", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
      await refresh();
    } catch (error) {
      lab.notify("error", error instanceof Error ? error.message : String(error));
    }
  };
  const own = async () => {
    const file = await choose(".toml");
    if (file) await start({ file: { name: file.name, text: await file.text() }, seeds: Number(seeds) || null });
  };
  return (
    <section class="panel">
      <h2>Experiments</h2>
      <div class="row">
        <label>
          Experiment{" "}
          <select id="experiment" value={chosen} onChange={(e) => choose_(e.currentTarget.value)}>
            {names.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        </label>
        <label>seeds <input id="seeds" type="number" min="1" max="1000" value={seeds} onInput={(e) => setSeeds(e.currentTarget.value)} /></label>
        <button type="button" id="start-experiment" disabled={!chosen} onClick={() => void start({ built_in: chosen, seeds: Number(seeds) || null })}>Start</button>
        <button type="button" onClick={() => void own()}>Start from a file…</button>
      </div>
      <ul class="plain-list" id="experiments">
        {list.map((e) => (
          <li key={e.name} class="row">
            <strong>{e.name}</strong>
            <progress max={Math.max(e.runs_total, 1)} value={e.runs_done} aria-label={`${e.runs_done} of ${e.runs_total} runs`} />
            <span class="quiet small">
              {e.runs_done} of {e.runs_total} runs
              {e.is_running && e.seconds_left !== null ? `, about ${Math.ceil(e.seconds_left)} s left` : ""}
              {e.error ? <span class="bad"> {e.error}</span> : null}
            </span>
            {e.is_running && <button type="button" onClick={() => void get(`api/experiments/${encodeURIComponent(e.name)}`, { method: "DELETE" }).then(refresh, refresh)}>Stop</button>}
            {e.has_report && <button type="button" aria-expanded={shown === e.name} onClick={() => show(shown === e.name ? null : e.name)}>Report</button>}
          </li>
        ))}
      </ul>
      {list.length === 0 && <p class="quiet">None yet.</p>}
      {shown && (
        <iframe class="report" title={`Report of ${shown}`} sandbox="" src={new URL(`api/experiments/${encodeURIComponent(shown)}/report`, location.href).href} />
      )}
    </section>
  );
}
