// The robot lab: a program written, run, looked into, stopped, kept, shared and graded.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { everyWay, onEach, until } from "../harness.mjs";

const START = { view: "robot-lab" };
const here = dirname(fileURLToPath(import.meta.url));
const ours = readFileSync(join(here, "../../../scenarios/lesson/follower.js"), "utf8");

/** The script of the lesson, where its folder is beside this one; else ours. */
function lessonScript() {
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, "shared/data/scripts/line-follow-fsm.js");
    if (existsSync(file)) return readFileSync(file, "utf8");
  }
  return ours;
}

async function write(page, text) {
  await page.waitForSelector("#program");
  await page.click("#program");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

const tick = () => Number(/tick (\d+)/.exec(document.querySelector("#clock")?.textContent ?? "")?.[1]);
const status = (page, what) =>
  until(page, `status: ${what}`, (w) => document.querySelector("#program-status")?.textContent?.includes(w), what);

/** Waits until the world of the task is on the table. */
async function ready(page) {
  await page.waitForSelector("#program");
  await until(page, "the task's world", () => document.querySelector("#load")?.value.startsWith("task "));
}

onEach("the lesson's script runs to the tape, and stops at a breakpoint", START, async ({ page, shot }) => {
  await ready(page);
  await write(page, lessonScript());
  await page.fill("#breakpoint", "150");
  await page.click("#add-breakpoint");
  await page.click("#run");
  await status(page, "Stopped at the breakpoint, tick 150");
  assert.equal(await page.evaluate(tick), 150);
  await page.click("#step-program");
  await until(page, "one tick more", () => document.querySelector("#clock")?.textContent?.endsWith("tick 151"));
  await page.fill("#breakpoint", "1500");
  await page.click("#add-breakpoint");
  await page.click("#run-to");
  await status(page, "tick 1500");
  await until(page, "it follows the tape", () => /FOLLOW|RECOVER/.test(document.querySelector("#state-now")?.textContent ?? ""));
  assert.match(await page.locator("#memory").textContent(), /seenLine: true|hasSeenTape: true/);
  await shot("robot-lab-run", { fullPage: true });
});

onEach("a mistake is shown at its line while it runs and while it is read", START, async ({ page }) => {
  await ready(page);
  await write(page, "function control(sensors, memory) {\n  memory.n = (memory.n ?? 0) + 1;\n  if (memory.n > 20) return sensorz.line;\n  return { left: 0.2, right: 0.2 };\n}\n");
  await page.click("#run");
  await status(page, "gave up");
  assert.match(await page.locator(".fault").textContent(), /program\.js:3:\d+.*sensorz/);
  assert.ok(await page.locator(".cm-lint-marker-error").count());
  await write(page, "function control(sensors {\n");
  await page.click("#run");
  await status(page, "cannot be read");
  assert.match(await page.locator(".fault").textContent(), /program\.js:1/);
});

for (const [what, body] of [["an endless loop", "while (true) {}"], ["a memory blow-up", "const a = []; while (true) a.push(new Array(1000).fill(1));"]]) {
  onEach(`${what} is stopped, its text kept, and the next program runs`, START, async ({ page }) => {
    await ready(page);
    const text = `// keep me\nfunction control() {\n  ${body}\n}\n`;
    await write(page, text);
    const from = Date.now();
    await page.click("#run");
    await status(page, "gave up");
    console.log(`stopped after ${Date.now() - from} ms`);
    assert.match(await page.locator("#program").textContent(), /keep me/);
    await write(page, ours);
    await page.click("#run");
    await status(page, "It runs");
    await until(page, "half a second of the run", () => Number(/tick (\d+)/.exec(document.querySelector("#clock")?.textContent ?? "")?.[1]) >= 50);
  });
}

onEach("a program goes through a link, letter by letter", START, async ({ page, context }) => {
  await ready(page);
  const text = `// ${"Größe — ψ 日本語 [b](c) ".repeat(150)}\n${ours}`;
  assert.ok(new TextEncoder().encode(text).length > 5000);
  await write(page, text);
  await page.click("#share-program");
  const link = await page.locator("#program-link").inputValue();
  assert.match(new URL(link).hash, /^#\/robot-lab\?[\w=&.-]+$/);
  const other = await context.newPage();
  await other.goto(link);
  await ready(other);
  await until(other, "the text is there", (t) => localStorage.getItem("tropism.lab.track.text") === t, text);
  assert.equal(await other.locator("#play").textContent(), "Play");
  await other.close();
});

onEach("texts are kept, earlier ones come back, and nothing runs after a crash", START, async ({ page }) => {
  await ready(page);
  await write(page, "// first\n");
  await page.click("#run");
  await write(page, "// second\n");
  await until(page, "the second text is kept", () => localStorage.getItem("tropism.lab.track.text") === "// second\n");
  await page.addInitScript(() => localStorage.setItem("tropism.lab.running", "yes"));
  await page.reload();
  await ready(page);
  await until(page, "the text is back", () => document.querySelector("#program")?.textContent?.includes("// second"));
  await until(page, "the page says so", () => document.querySelector(".notices")?.textContent?.includes("has not been started"));
  assert.equal(await page.locator("#play").textContent(), "Play");
  await page.getByText("Earlier versions").click();
  await page.locator("#versions li", { hasText: "run" }).getByRole("button").first().click();
  await until(page, "the first text is back", () => document.querySelector("#program")?.textContent?.includes("// first"));
});

onEach("the lesson's script passes the open room from 200 starts", START, async ({ page, shot }) => {
  await page.waitForSelector("#task");
  await page.selectOption("#task", "room");
  await until(page, "the room", () => document.querySelector("#load")?.value === "task room");
  await write(page, lessonScript());
  await page.click("#grade");
  await page.waitForSelector("#grade-progress");
  await page.waitForSelector("#grade-result", { timeout: 110_000 });
  assert.match(await page.locator("#grade-result").textContent(), /^200\/200 passed \(100\.0 %, 95 % interval 98\.1 to 100\.0 %\)/);
  await shot("robot-lab-graded", { fullPage: true });
});

onEach("the machine is driven by hand", START, async ({ page, shot }) => {
  await page.waitForSelector("#task");
  await page.selectOption("#task", "by-hand");
  await page.waitForSelector("#fire-begin");
  const can = () => page.locator("button.event.can").allTextContents();
  await until(page, "it is idle", () => document.querySelector("#state-now")?.textContent === "Idle");
  assert.deepEqual(await can(), ["begin"]);
  await page.click("#fire-begin");
  await until(page, "it follows", () => document.querySelector("#state-now")?.textContent === "Follow");
  assert.deepEqual(await can(), ["halt", "obstacle", "line lost"]);
  await page.click("#fire-obstacle");
  await until(page, "it avoids", () => document.querySelector("#state-now")?.textContent === "Avoid");
  assert.equal(await page.locator("#machine").getAttribute("data-state"), "Avoid");
  await until(page, "the log says so", () => /Avoid/.test(document.querySelector("#console")?.textContent ?? ""));
  await shot("robot-lab-by-hand", { fullPage: true });
});

onEach("a question is answered, and its run can be watched", START, async ({ page }) => {
  await ready(page);
  await page.locator("input[name=ask-sampling]").nth(2).check();
  await until(page, "the answer", () => document.querySelector(".ask")?.textContent?.includes("Yes."));
  await page.getByRole("link", { name: "looking every 250 ms" }).click();
  await until(page, "its world", () => document.querySelector("#load")?.value === "looking four times a second");
});

everyWay("robot-lab", START);
