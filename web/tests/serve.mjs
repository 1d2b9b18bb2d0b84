// Serves a folder of files as any static host would; also the `tropism lab` of this tree.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const dist = join(root, "web/dist");

const kinds = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** A static host for a folder: its address and how to end it. */
export async function serveFolder(folder = dist) {
  if (!existsSync(join(folder, "index.html"))) {
    throw new Error("web/dist is not built; run: cargo xtask web");
  }
  const server = createServer(async (request, reply) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    try {
      const body = await readFile(file);
      reply.writeHead(200, { "content-type": kinds[extname(file)] ?? "application/octet-stream" });
      reply.end(body);
    } catch {
      reply.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const close = () => new Promise((done) => {
    server.closeAllConnections();
    server.close(done);
  });
  return { url: `http://127.0.0.1:${server.address().port}/`, close };
}

/** The program: of `TROPISM`, or the newest build of this tree; `null` when there is none. */
export function program() {
  const names = [process.env.TROPISM, join(root, "target/release/tropism"), join(root, "target/debug/tropism")];
  return names.find((name) => name && existsSync(name)) ?? null;
}

/** `tropism lab` on a free port: its address and how to end it. */
export async function serveLab(options = []) {
  const name = program();
  if (!name) throw new Error("there is no tropism; run: cargo build --release");
  const kept = mkdtempSync(join(tmpdir(), "tropism-lab-"));
  const folders = ["--recordings", join(kept, "recordings"), "--results", join(kept, "results")];
  const child = spawn(name, ["lab", "--port", "0", ...folders, ...options], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const url = await new Promise((found, failed) => {
    let said = "";
    const read = (chunk) => {
      said += chunk;
      const match = /http:\/\/[^\s]+/.exec(said);
      if (match) found(match[0]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", (code) => failed(new Error(`tropism lab ended with ${code}: ${said}`)));
    setTimeout(() => failed(new Error(`tropism lab printed no address: ${said}`)), 20_000).unref();
  });
  const close = () => new Promise((done) => {
    const end = () => {
      rmSync(kept, { recursive: true, force: true });
      done();
    };
    if (child.exitCode !== null) end();
    child.on("exit", end);
    child.kill("SIGINT");
    setTimeout(() => child.kill("SIGKILL"), 5000).unref();
  });
  return { url: url.endsWith("/") ? url : `${url}/`, close, pid: child.pid };
}
