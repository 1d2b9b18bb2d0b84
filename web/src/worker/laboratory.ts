// The laboratory's module with its engine for scripts, loaded into this thread.
import init, * as module from "../generated/wasm/tropism_wasm";
import { Engine } from "../engine/guest";
import { Machines } from "../engine/machine";

/** `beat` is called whenever a script gets its turn, `broken` when an engine failed that several scripts share. */
export async function laboratory(beat: () => void, broken: (why: string) => void): Promise<typeof module> {
  const [, machines] = await Promise.all([init(), Machines.load()]);
  module.useEngine(new Engine(machines, module, beat, broken) as never);
  return module;
}
