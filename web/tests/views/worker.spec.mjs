// The session in the page's own worker: programs that hang, hidden tabs, the rate of a run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, tickOf, until } from "../harness.mjs";

async function inPage(options, run) {
  const opened = await open({ on: "browser", ...options });
  try {
    await run(opened);
  } catch (error) {
    await opened.shot("failed-worker");
    await opened.context.close();
    throw error;
  }
  await opened.close();
}

async function write(page, text) {
  await page.locator("#program .cm-content, .cm-content").first().click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

const shows = (words) => new RegExp(words).test(document.body.textContent);

// On a busy machine the clock may be first to end what the engine would have ended by its count.
const STOPPED = "stopped: a script did not come to an end";

for (const [what, text, words] of [
  ["an endless loop", "function control(s, m) { while (true) {} }", "did not come to an end"],
  ["an endless loop at once", "while (true) {}", "did not come to an end"],
  ["a loop that fills memory", "function control(s, m) { const a = []; while (true) a.push([1, 2, 3]); }", `needs more than 8 MB|${STOPPED}`],
  ["what the engine cannot count", "function control(s, m) { const a = 'x'.repeat(5e6); for (;;) a.indexOf('y'); }", STOPPED],
]) {
  test(`web 01, 03: ${what} is ended and the text kept`, { timeout: 120_000 }, () =>
    inPage({ view: "robot-lab" }, async ({ page, shot }) => {
      await page.locator("#run").waitFor();
      await write(page, text);
      await page.locator("#run").click();
      await until(page, `the page says: ${words}`, shows, words, 60_000);
      assert.equal((await page.locator(".cm-content").first().innerText()).trim(), text);
      await shot(`ended-${what}`);
      // What comes after starts from clean memory.
      await write(page, "function control(s, m) { m.n = (m.n || 0) + 1; return { left: 0.2, right: 0.2 }; }");
      await page.locator("#run").click();
      await until(page, "it runs", () => Number(/tick (\d+)/.exec(document.querySelector("#clock").textContent)[1]) > 5, undefined, 60_000);
    }));
}

test("a hidden tab pauses and never makes up for it", { timeout: 120_000 }, () =>
  inPage({ view: "world", load: "one-life" }, async ({ page }) => {
    await page.locator("#play").click();
    await page.waitForTimeout(1000);
    const hide = (isHidden) => page.evaluate((isHidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
    await hide(true);
    await page.waitForTimeout(400);
    const before = await tickOf(page);
    await page.waitForTimeout(2000);
    assert.equal(await tickOf(page), before);
    const shown = Date.now();
    await hide(false);
    await page.waitForTimeout(500);
    const made = (await tickOf(page)) - before;
    // Twenty ticks are a second; what was missed while hidden would be forty more.
    assert.ok(made <= Math.ceil((Date.now() - shown) / 50) + 5, `${made} ticks`);
    await until(page, "it goes on", (from) => Number(/tick (\d+)/.exec(document.querySelector("#clock").textContent)[1]) > from + 10, before);
  }));

test("a long step is ended by a pause, and what was asked behind it comes after it", { timeout: 120_000 }, () =>
  inPage({ view: "world", load: "one-life" }, async ({ page }) => {
    const replies = await page.evaluate(async () => {
      const known = performance.getEntriesByType("resource").map((entry) => entry.name);
      const worker = new Worker(known.find((name) => /\/worker-[^/]*\.js$/.test(name)), { type: "module" });
      const replies = [];
      const say = (id, command) => worker.postMessage({ say: JSON.stringify({ id, command }) });
      await new Promise((done) => {
        worker.onmessage = ({ data }) => {
          for (const message of (data.say ?? []).map((text) => JSON.parse(text))) {
            if (!["done", "refused"].includes(message.type)) continue;
            replies.push([message.type, message.id, message.fault?.what ?? ""]);
            if (message.id === 1) setTimeout(() => say(4, { do: "pause" }), 300);
            if (message.id === 3) done();
          }
        };
        say(1, { do: "load", source: { from: "built_in", name: "crowd" } });
        say(2, { do: "step", ticks: 100_000 });
        say(3, { do: "list" });
      });
      worker.terminate();
      return replies;
    });
    assert.deepEqual(replies.map(([type, id]) => [type, id]), [["done", 1], ["done", 4], ["refused", 2], ["done", 3]]);
    const [, made] = /^the step was ended after (\d+) of 100000 ticks$/.exec(replies[2][2]);
    assert.ok(Number(made) > 0 && Number(made) < 100_000, made);
  }));
