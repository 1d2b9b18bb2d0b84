// What every test of the page stands on: a browser, both back ends, and what no page may do.
//
//   import { test } from "node:test";
//   import { onEach, check } from "../harness.mjs";
//   onEach("the world is drawn", { view: "world", load: "standard" }, async ({ page, shot }) => { … });
//
// A page fails its test when it prints an error, throws one, or asks another origin for anything.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, test } from "node:test";
import { chromium } from "playwright-core";
import { program, root, serveFolder, serveLab } from "./serve.mjs";

const shots = join(root, "web/tests/shots");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const chromiums = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const flags = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--no-first-run",
];

let running;
const hosts = {};

/** The browser, started when it is first asked for. */
export function browser() {
  const executablePath = chromiums.find((name) => name && existsSync(name));
  if (!executablePath) throw new Error("there is no Chromium; Debian: apt-get install chromium; or set CHROMIUM");
  running ??= chromium.launch({ executablePath, args: flags });
  return running;
}

/** Back ends that this tree has; the server's is left out, with a note, where it is not built. */
export function backends() {
  const wanted = process.env.BACKENDS?.split(",") ?? ["browser", "server"];
  return wanted.filter((on) => on !== "server" || program() || note("skipped on the server: tropism is not built"));
}

function note(text) {
  console.log(text);
  return false;
}

function host(on) {
  hosts[on] ??= on === "server" ? serveLab() : serveFolder();
  return hosts[on];
}

after(async () => {
  await (await running)?.close();
  for (const one of Object.values(hosts)) await (await one).close();
});

/**
 * Opens the page.
 *
 * `on`: `browser` or `server`; `view` and `load` as in its address; `width`, `height`; `scheme`:
 * `light` or `dark`; `motion`: `reduce` or `no-preference`; `allow`: patterns of console errors
 * that a test expects.
 */
export async function open({ on = "browser", view = "world", load, query = {}, width = 1280, height = 800, scheme = "light", motion = "no-preference", allow = [] } = {}) {
  const { url } = await host(on);
  const context = await (await browser()).newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: motion,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const wrongs = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !isExpected(message, allow)) wrongs.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrongs.push(`thrown: ${error.message}`));
  const { origin } = new URL(url);
  context.on("request", (request) => {
    const asked = new URL(request.url());
    const isOwn = asked.origin === origin || ["data:", "blob:"].includes(asked.protocol)
      || asked.host === new URL(origin).host;
    if (!isOwn) wrongs.push(`leaves its origin: ${request.url()}`);
  });
  const address = new URL(url);
  if (load && on === "browser") address.searchParams.set("load", load);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  address.hash = `#/${view}`;
  await page.goto(address.href);
  await page.waitForSelector("#main");
  await until(page, "something is on the table", () => /tick \d/.test(document.querySelector("#clock")?.textContent ?? ""));
  if (load) await put(page, load);
  const name = (label) => `${label}-${on}-${scheme}-${width}.png`.replaceAll(/[^-\w.]/g, "_");
  return {
    page,
    on,
    url,
    context,
    wrongs,
    /** Keeps a picture in tests/shots. */
    shot: async (label, options = {}) => {
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, name(label)), ...options });
    },
    /** Ends the page; fails when it did what no page may do. */
    close: async () => {
      await context.close();
      assert.deepEqual(wrongs, []);
    },
  };
}

/** Puts something on the table by the page's own list, paused at tick 0. */
export async function put(page, name) {
  await until(page, `${name} is listed`, (name) => [...document.querySelector("#load").options].some((o) => o.value === name), name);
  await page.evaluate((name) => {
    const list = document.querySelector("#load");
    list.value = name;
    list.dispatchEvent(new Event("change", { bubbles: true }));
  }, name);
  await until(page, `${name} is on the table`, () => / tick 0$/.test(document.querySelector("#clock")?.textContent ?? ""));
}

/** The tick that the page shows. */
export const tickOf = (page) => page.evaluate(() => Number(/tick (\d+)/.exec(document.querySelector("#clock")?.textContent ?? "")?.[1]));

function isExpected(message, allow) {
  return allow.some((pattern) => pattern.test(message.text()));
}

/** A test of one view on each back end, with the page opened and ended for it. */
export function onEach(title, options, run) {
  for (const on of backends()) {
    test(`${title} (${on})`, { timeout: 120_000 }, async () => {
      const opened = await open({ ...options, on });
      try {
        await run(opened);
      } catch (error) {
        await opened.shot(`failed-${title}`).catch(() => undefined);
        if (opened.wrongs.length) error.message += `\nthe page also did this: ${opened.wrongs.join("; ")}`;
        await opened.context.close();
        throw error;
      }
      await opened.close();
    });
  }
}

/** Fails on what axe-core finds wrong for people who hear or key their way through the page. */
export async function accessible(page, { without = [] } = {}) {
  await page.evaluate(axe);
  const found = await page.evaluate(async (rules) => {
    const results = await window.axe.run(document, { rules: Object.fromEntries(rules.map((r) => [r, { enabled: false }])) });
    return results.violations.map((v) => `${v.id} (${v.impact}): ${v.help}: ${v.nodes.map((n) => n.target.join(" ")).join(", ")}`);
  }, without);
  assert.deepEqual(found, []);
}

/** Fails when the page is wider than its window. */
export async function fits(page) {
  const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(inner <= outer, `the page is ${inner} px wide in a window of ${outer} px`);
}

/** The page of a view at 360 px, in light and dark, with reduced motion: fits, accessible, pictured. */
export function everyWay(title, options) {
  for (const scheme of ["light", "dark"]) {
    onEach(`${title} at 360 px, ${scheme}`, { ...options, width: 360, height: 740, scheme, motion: "reduce" }, async ({ page, shot }) => {
      await page.waitForTimeout(800);
      await shot(title);
      await fits(page);
      await accessible(page);
    });
  }
}

/** Waits until something is true in the page. */
export async function until(page, what, test, argument, timeout = 20_000) {
  await page.waitForFunction(test, argument, { timeout }).catch(() => assert.fail(`never: ${what}`));
}
