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
    for (const file of (await world()) ?? []) download(file.name, file.text);
  };
  const share = async () => {
    const files = await world();
    if (!files) return;
    const address = linkTo(isOctopus ? "octopus" : "world", { world: pack(files) });
    setLink(address);
    if (address) await copy(address);
    else {
      for (const file of files) download(file.name, file.text);
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

/** The world as it stands, with the programs it names. */
async function world(): Promise<TextFile[] | null> {
  const outcome = await lab.ask({ do: "save_world" });
  if (outcome?.kind !== "document") return null;
  const { name, text } = outcome;
  const minds = (lab.stage.value?.robots?.robots ?? []).map((robot) => robot.mind);
  const programs = new Map<string, string>();
  for (const { script } of minds) {
    if (script && text.includes(`"${script.name}"`)) programs.set(script.name, script.text);
  }
  // Machines are named in the order of their robots.
  const machines = minds.flatMap(({ machine }) => (machine ? [machine.text] : []));
  [...text.matchAll(/\bmind = "([^"]+\.toml)"/g)].forEach((match, i) => {
    const [its, name] = [machines[i], match[1]];
    if (its !== undefined && name !== undefined) programs.set(name, its);
  });
  return [{ name, text }, ...[...programs].map(([name, text]) => ({ name, text }))];
}
