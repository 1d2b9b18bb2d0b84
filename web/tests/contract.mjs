// The same requests to every back end: every message equal, byte for byte, but for the place of an
// error for want of memory.
//
//   node tests/contract.mjs NATIVE [--browser] [--update]
//
// NATIVE is the program made of crates/session/examples/session_script.rs. The module runs here
// under Node, with --browser also in Chromium in the worker of the built page.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { laboratory } from "./laboratory.mjs";
import { requests } from "./requests.mjs";
import { root } from "./serve.mjs";

const [native, ...options] = process.argv.slice(2);
const read = (path) => readFileSync(join(root, path), "utf8");

function onHost(texts) {
  const run = spawnSync(native, [], { input: `${texts.join("\n")}\n`, encoding: "utf8", maxBuffer: 1 << 30 });
  if (run.status !== 0) throw new Error(`${native} ended with ${run.status}: ${run.stderr}`);
  return run.stdout.trimEnd().split("\n");
}

/** The request of a reply; `null` for other messages. */
const replyTo = (text) => Number(/^\{"type":"(?:done|refused)","id":(\d+)/.exec(text)?.[1] ?? NaN) || null;

const texts = (all) => all.map((request) => JSON.stringify(request));
const first = requests(read);
const life = onHost(texts(first.all)).map((text) => JSON.parse(text)).find((m) => m.outcome?.kind === "life_state");
if (!life) throw new Error("no life state came back");
const { all, refused } = requests(read, life.outcome.document);
const asked = texts(all);

async function underNode() {
  const { module, lab } = await laboratory();
  const said = [module.Lab.hello()];
  for (const text of asked) said.push(...lab.handle(text));
  return said;
}

async function inBrowser() {
  const { open, browser } = await import("./harness.mjs");
  const { page, close } = await open({ on: "browser", query: { in: "browser" } });
  const said = await page.evaluate(async (asked) => {
    const known = performance.getEntriesByType("resource").map((entry) => entry.name);
    const address = known.find((name) => /\/worker-[^/]*\.js$/.test(name));
    if (!address) throw new Error(`the page has started no worker: ${known.join(", ")}`);
    const worker = new Worker(address, { type: "module" });
    const said = [];
    let [replies, sent] = [0, 0];
    // Some at a time: behind a step only so many may wait.
    const send = () => {
      while (sent < asked.length && sent < replies + 32) worker.postMessage({ say: asked[sent++] });
    };
    await new Promise((done, failed) => {
      worker.onerror = (event) => failed(new Error(event.message));
      worker.onmessage = ({ data }) => {
        if (data.broken) failed(new Error(data.broken));
        for (const text of data.say ?? []) {
          said.push(text);
          if (/^\{"type":"(done|refused)"/.test(text)) replies += 1;
        }
        // What follows a reply comes with it in one message.
        if (replies === asked.length) done();
        else send();
      };
      send();
    });
    worker.terminate();
    return said;
  }, asked);
  await close();
  await (await browser()).close();
  return said;
}

/** The first difference of two messages, with what stands around it. */
function difference(a, b) {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i += 1;
  const around = (text) => text.slice(Math.max(0, i - 60), i + 60);
  return `at byte ${i}:\n  host:  …${around(a)}…\n  other: …${around(b)}…`;
}

/**
 * A message as it is compared: where memory ends, and whether there is any left for the error, is
 * not the same where pointers have another size.
 */
const plain = (text = "") => (text.includes("needs more than 8 MB")
  ? text
    .replaceAll(/student\.js(:\d+:\d+)?: (it needs more than 8 MB of memory)(, or threw null)?/g, "student.js: $2")
    .replaceAll(/"line":\d+,"column":\d+,"text":"(it needs more than 8 MB of memory)(, or threw null)?"/g, '"text":"$1"')
  : text);

function compare(name, host, other) {
  const count = Math.max(host.length, other.length);
  let differences = 0;
  for (let i = 0; i < count; i++) {
    const [ours, theirs] = [plain(host[i]), plain(other[i])];
    if (ours !== theirs) {
      const last = host.slice(0, i + 1).map(replyTo).filter(Boolean).pop() ?? 1;
      const request = asked[last - 1].slice(0, 400);
      console.error(`${name}: message ${i} of ${count} differs ${difference(ours, theirs)}\nasked: ${request}`);
      if (++differences >= 20) break;
    }
  }
  if (differences) process.exit(1);
  console.log(`${name}: ${count} messages equal, ${host.reduce((n, text) => n + text.length, 0)} characters`);
}

const host = onHost(asked);
const wrongly = host.filter((text) => replyTo(text) && text.startsWith('{"type":"refused"') !== refused.has(replyTo(text)));
if (wrongly.length) {
  console.error(`done or refused against what is meant:\n${wrongly.map((text) => text.slice(0, 400)).join("\n")}`);
  process.exit(1);
}
compare("WebAssembly under Node", host, await underNode());
if (options.includes("--browser")) compare("WebAssembly in Chromium", host, await inBrowser());
console.log(`test result: ok. ${options.includes("--browser") ? 2 : 1} passed; 0 failed;`);
process.exit(0);
