// Opens what the address names: `#/world?load=NAME` or `#/world?world=…`, the latter packed.
import { lab } from "./lab";
import { route } from "./route";
import { loadTexts } from "./ui/files";
import { unpack } from "./ui/share";
import type { TextFile } from "./protocol";

let opened = "";

/** Loads what the address names; false when it names nothing that could be loaded. */
export async function openRoute(): Promise<boolean> {
  const { values } = route.value;
  const [name, packed] = [values.get("load"), values.get("world")];
  const key = packed ?? name ?? "";
  if (!key || key === opened) return false;
  opened = key;
  const seed = values.has("seed") ? Number(values.get("seed")) : null;
  if (packed) return openPacked(packed);
  const story = await lessonFiles(name ?? "");
  if (story) return loadTexts(story);
  const source = { from: "built_in", name: name ?? "" } as const;
  return (await lab.ask({ do: "load", source, seed })) !== null;
}

async function openPacked(packed: string): Promise<boolean> {
  try {
    const files = unpack(packed);
    if (!isFiles(files)) throw new Error("this link holds no world");
    return await loadTexts(files);
  } catch (error) {
    lab.notify("error", error instanceof Error ? error.message : String(error));
    return false;
  }
}

function isFiles(value: unknown): value is TextFile[] {
  return Array.isArray(value) && value.length > 0 &&
    value.every((f) => typeof f?.name === "string" && typeof f?.text === "string");
}

/** Files of a scenario that comes with the page. */
async function lessonFiles(name: string): Promise<TextFile[] | null> {
  if (!name.startsWith("lesson-")) return null;
  const { lessonScenario } = await import("./views/robot-lab/scenarios");
  return lessonScenario(name.slice("lesson-".length));
}
