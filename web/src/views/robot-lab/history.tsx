// Earlier versions of the program, files and links.
import { useState } from "preact/hooks";
import { lab } from "../../lab";
import { chooseTexts } from "../../ui/files";
import { copy, linkTo, pack } from "../../ui/share";
import { download } from "../../ui/text";
import { FILE, replace, taskId, text } from "./program";
import { EXAMPLES } from "./tasks";
import { scriptText } from "./scenarios";
import { keepFault, versions } from "./versions";

export function Keeping() {
  const [link, setLink] = useState<string | null>(null);
  const share = async () => {
    const address = linkTo("robot-lab", { task: taskId.value, program: pack({ text: text.value }) });
    setLink(address);
    if (address) await copy(address);
    else {
      download(FILE, text.value, "text/javascript");
      lab.notify("info", "This program is too long for a link; it was saved as a file to pass on.");
    }
  };
  const load = async () => {
    const [file] = await chooseTexts(".js,.mjs,.txt");
    if (file) replace(file.text, `from the file ${file.name}`);
  };
  return (
    <section class="panel" aria-label="Program file">
      <h2>Program</h2>
      <div class="row">
        <label class="fit">
          <span class="hidden">Start from an example</span>
          <select
            id="example"
            value=""
            onChange={(event) => {
              const name = event.currentTarget.value;
              if (name) replace(scriptText(name), `example: ${name}`);
              event.currentTarget.value = "";
            }}
          >
            <option value="">Start from an example…</option>
            {EXAMPLES.map(([name, about]) => <option key={name} value={name}>{about}</option>)}
          </select>
        </label>
        <button type="button" id="import" onClick={() => void load()}>Open a file…</button>
        <button type="button" id="export" onClick={() => download(FILE, text.value, "text/javascript")}>Save to a file</button>
        <button type="button" id="share-program" onClick={() => void share()}>Share as a link</button>
      </div>
      {link && (
        <label class="link">
          The program is in the link itself; nothing is kept anywhere else:{" "}
          <input id="program-link" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
        </label>
      )}
      {keepFault.value && <p class="bad" role="alert">{keepFault.value}</p>}
      <Versions />
    </section>
  );
}

function Versions() {
  const list = versions.value;
  return (
    <details>
      <summary>Earlier versions ({list.length})</summary>
      <p class="quiet">What you type is kept in this browser. A version is kept at every run, grading and import, and every two minutes of editing.</p>
      <ol class="scroll short log" id="versions">
        {list.map((version) => (
          <li key={version.at} class="row">
            <time>{new Date(version.at).toLocaleString()}</time>
            <span>{version.why}, {version.text.split("\n").length} lines</span>
            <button type="button" class="small" disabled={version.text === text.value} onClick={() => replace(version.text, "restored")}>
              Restore
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}
