// The laboratory's module with its engine for scripts, under Node.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createServer } from "vite";
import { root } from "./serve.mjs";

/** The module and a table. */
export async function laboratory() {
  const server = await createServer({
    root: join(root, "web"),
    configFile: false,
    logLevel: "error",
    appType: "custom",
    server: { middlewareMode: true, hmr: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const module = await server.ssrLoadModule("/src/generated/wasm/tropism_wasm.js");
    const { Machines } = await server.ssrLoadModule("/src/engine/machine.ts");
    const { Engine } = await server.ssrLoadModule("/src/engine/guest.ts");
    const bytes = await readFile(join(root, "web/src/generated/wasm/tropism_wasm_bg.wasm"));
    module.initSync({ module: bytes });
    const engine = createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
    const machines = await Machines.of(await readFile(engine));
    module.useEngine(new Engine(machines, module));
    return { module, lab: new module.Lab() };
  } finally {
    await server.close();
  }
}
