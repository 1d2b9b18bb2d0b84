// Recordings, two runs in step, experiments.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { everyWay, onEach, tickOf, until } from "../harness.mjs";

const START = { view: "runs", load: "one-life" };

onEach("a run is recorded, opened again, replayed and scrubbed", START, async ({ page, shot }) => {
  await page.click("#record");
  await page.waitForSelector("#stop-recording");
  await page.click("#play");
  await until(page, "two seconds", () => Number(/tick (\d+)/.exec(document.querySelector("#clock").textContent)[1]) >= 40);
  await page.click("#play");
  await until(page, "it stands", () => document.querySelector("#play").textContent === "Play");
  await page.waitForTimeout(200);
  const last = await tickOf(page);
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#stop-recording")]);
  assert.match(file.suggestedFilename(), /\.jsonl$/);
  const buffer = await readFile(await file.path());
  for (const line of buffer.toString().trim().split("\n")) JSON.parse(line);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#open-recording")]);
  await chooser.setFiles({ name: file.suggestedFilename(), mimeType: "application/x-ndjson", buffer });
  await until(page, "it is a recording", () => document.body.textContent.includes("What is loaded now is a recording."));
  await until(page, "at its beginning", () => document.querySelector("#clock").textContent.endsWith("tick 0"));
  assert.equal(Number(await page.getAttribute("#seek", "max")), last);
  await shot("runs-recording");
  await page.click("#play");
  await until(page, "it replays", () => Number(/tick (\d+)/.exec(document.querySelector("#clock").textContent)[1]) >= 10);
  await page.click("#play");
  await page.locator("#seek").fill("30");
  await until(page, "scrubbed to 30", () => document.querySelector("#clock").textContent.endsWith("tick 30"));
  await page.click("#back");
  await until(page, "a step back", () => document.querySelector("#clock").textContent.endsWith("tick 29"));
});

onEach("two seeds part, the same seed does not", START, async ({ page, shot }) => {
  const said = (pattern) => until(page, pattern, (p) => new RegExp(p).test(document.querySelector("#compare-said").textContent), pattern);
  await page.click("#compare-open");
  await page.waitForSelector("#compare-step:enabled");
  for (let i = 1; i <= 5; i++) {
    await page.click("#compare-step");
    await said(`^tick ${i}:`);
  }
  await said("states differ since tick 0; robots 0\\.[1-9]");
  await page.click("#compare-play");
  await said("^tick (?:[4-9]\\d|\\d{3,}):.* m apart");
  await page.click("#compare-play");
  await shot("runs-compared", { fullPage: true });
  await page.locator("#compare-step + button").click();
  await said("^tick \\d+: states differ since tick 0");
  await page.locator("fieldset", { hasText: "Run B" }).getByLabel("seed").fill("1");
  await page.click("#compare-open");
  await said("^tick 0: equal so far");
  await page.click("#compare-play");
  await said("^tick (?:[2-9]\\d|\\d{3,}): equal so far; robots 0\\.000 m apart");
});

// A refused start is what is tested, and the browser prints it.
const EXPERIMENT = { ...START, allow: [/status of 400/] };

onEach("an experiment is started, followed to its end and read; elsewhere the way to one is told", EXPERIMENT, async ({ page, on, shot }) => {
  if (on === "browser") {
    await until(page, "it says what to do", () => document.body.textContent.includes("tropism experiment"));
    assert.match(await page.locator("section", { hasText: "Many seeds and conditions" }).last().textContent(), /tropism lab/);
    assert.equal(await page.locator("#experiment").count(), 0);
    assert.equal(await page.locator("#start-experiment").count(), 0);
    return;
  }
  await until(page, "the list", () => document.querySelectorAll("#experiment option").length >= 3);
  const names = await page.locator("#experiment option").allTextContents();
  assert.ok(names.includes("headline"), names.join(" "));
  await page.selectOption("#experiment", "first-look");
  // More seeds than the file has are refused in words, and nothing is started.
  await page.fill("#seeds", "21");
  const refused = page.waitForResponse((r) => r.url().endsWith("/api/experiments") && r.request().method() === "POST");
  await page.click("#start-experiment");
  assert.equal((await refused).status(), 400);
  await until(page, "it says why", () => document.body.textContent.includes("`seeds` is 1 to 20"));
  assert.equal(await page.locator("#experiments li").count(), 0);
  await page.fill("#seeds", "8");
  await page.click("#start-experiment");
  const row = page.locator("#experiments li", { hasText: "first-look" });
  await row.getByText("Stop").waitFor();
  await until(page, "all runs are planned", () => /\d+ of 32 runs/.test(document.querySelector("#experiments")?.textContent ?? ""));
  await until(page, "it is under way", () => document.querySelector("#experiments progress")?.value > 0, undefined, 60_000);
  await shot("runs-experiment");
  await row.getByText("Report").waitFor({ timeout: 90_000 });
  assert.match(await row.textContent(), /32 of 32 runs/);
  assert.equal(await row.locator("progress").evaluate((bar) => bar.value === bar.max), true);
  assert.equal(await row.getByText("Stop").count(), 0);
  await row.getByText("Report").click();
  const report = page.frameLocator("iframe.report");
  await report.locator("h1").first().waitFor();
  const text = await report.locator("body").textContent();
  for (const condition of ["full", "no_reflexes", "random_walk", "do_nothing"]) assert.ok(text.includes(condition), condition);
  await shot("runs-report", { fullPage: true });
});

everyWay("runs", START);
