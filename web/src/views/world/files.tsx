// Saves, loads and shares the world.
import { useState } from "preact/hooks";
import { lab } from "../../lab";
import type { TextFile } from "../../protocol";
import { FaultBox } from "../../ui/fault";
import { chooseTexts, fileFault, loadTexts } from "../../ui/files";
import { copy, linkTo, pack } from "../../ui/share";
import { download } from "../../ui/text";
import "./world.css";

export function Files() {
  const [link, setLink] = useState<string | null>(null);
  const fault = fileFault.value;
  const isOctopus = lab.kind.value === "octopus";
  const thing = isOctopus ? "scene" : "world";
  const load = async () => {
    const files = await chooseTexts(".toml,.json,.jsonl,.js");
    if (await loadTexts(files)) setLink(null);
  };
  const save = async () => {
    const file = await world();
    if (file) download(file.name, file.text);
  };
  const share = async () => {
    const file = await world();
    if (!file) return;
    const address = linkTo(isOctopus ? "octopus" : "world", { world: pack([file]) });
    setLink(address);
    if (address) await copy(address);
    else {
      download(file.name, file.text);
      lab.notify("info", `This ${thing} is too large for a link; it was saved to pass on as a file.`);
    }
  };
  return (
    <section class="panel" aria-label="Files">
      <h2>{isOctopus ? "Scene" : "World"}</h2>
      <div class="row">
        <button type="button" id="save-world" onClick={() => void save()}>Save to a file</button>
        <button type="button" id="load-file" title="A scenario, world or scene, with the files it refers to, or a recording" onClick={() => void load()}>
          Load files…
        </button>
        <button type="button" id="share-world" onClick={() => void share()}>Share as a link</button>
      </div>
      {link && (
        <label class="link">
          Whoever opens this link sees this {thing}:{" "}
          <input id="world-link" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
        </label>
      )}
      {fault && <FaultBox title="Not loaded" fault={fault} onClose={() => (fileFault.value = null)} />}
    </section>
  );
}

/** The world as it stands, machines and scripts inside. */
async function world(): Promise<TextFile | null> {
  const outcome = await lab.ask({ do: "save_world" });
  return outcome?.kind === "document" ? { name: outcome.name, text: outcome.text } : null;
}
