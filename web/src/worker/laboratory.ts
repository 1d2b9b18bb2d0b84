// The laboratory's module with its engine for scripts, loaded into this thread.
import init, * as module from "../generated/wasm/tropism_wasm";
import { Engine } from "../engine/guest";
import { Machine } from "../engine/machine";

/** `beat` is called whenever a script gets its turn, `broken` when its engine failed. */
export async function laboratory(beat: () => void, broken: (why: string) => void): Promise<typeof module> {
  const [, machine] = await Promise.all([init(), Machine.load()]);
  module.useEngine(new Engine(machine, module, beat, broken) as never);
  return module;
}
