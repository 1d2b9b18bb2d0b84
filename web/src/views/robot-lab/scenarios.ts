// Scenarios, machines and scripts that come with the page: the files of `scenarios/`.
import type { TextFile } from "../../protocol";

const files = import.meta.glob<string>("../../../../scenarios/{lesson,machines}/*.{toml,js}", {
  query: "?raw",
  import: "default",
  eager: true,
});

function find(name: string): TextFile | null {
  const path = Object.keys(files).find((path) => path.endsWith(`/${name}`));
  const text = path === undefined ? undefined : files[path];
  return text === undefined ? null : { name, text };
}

/** A script by its name without `.js`. */
export function scriptText(name: string): string {
  return find(`${name}.js`)?.text ?? "";
}

/** A scenario by its name without `.toml`, with the file of its mind. */
export function lessonScenario(name: string): TextFile[] | null {
  const scenario = find(`${name}.toml`);
  if (!scenario) return null;
  const mind = /^mind\s*=\s*"([^"]+\.(?:js|toml))"/m.exec(scenario.text)?.[1];
  const its = mind === undefined ? null : find(mind);
  return its ? [scenario, its] : [scenario];
}

/** The scenario of a grading task: its world, and a robot with this program or none. */
export function taskScenario(task: string, world: string, about: string, program: TextFile | null): TextFile[] {
  const lines = [
    'kind = "scenario"', `name = "task ${task}"`, `about = ${JSON.stringify(about)}`,
    `world = "${world}"`, `mind = "${program?.name ?? "do_nothing"}"`, "seed = 1", "life_cap_s = 600",
  ];
  const scenario = { name: `task-${task}.toml`, text: `${lines.join("\n")}\n` };
  return program ? [scenario, program] : [scenario];
}
