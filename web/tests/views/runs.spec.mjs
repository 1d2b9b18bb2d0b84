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
  await said("^tick [4-9]\\d:.* m apart");
  await page.click("#compare-play");
  await shot("runs-compared", { fullPage: true });
  await page.locator("#compare-step + button").click();
  await said("^tick \\d+: states differ since tick 0");
  await page.locator("fieldset", { hasText: "Run B" }).getByLabel("seed").fill("1");
  await page.click("#compare-open");
  await said("^tick 0: equal so far");
  await page.click("#compare-play");
  await said("^tick [2-9]\\d: equal so far; robots 0\\.000 m apart");
});

onEach("experiments: a list on a server, the way to one elsewhere", START, async ({ page, on }) => {
  if (on === "browser") {
    await until(page, "it says what to do", () => document.body.textContent.includes("tropism experiment"));
    assert.equal(await page.locator("#experiment").count(), 0);
    return;
  }
  await until(page, "the list", () => document.querySelectorAll("#experiment option").length >= 3);
  const names = await page.locator("#experiment option").allTextContents();
  assert.ok(names.includes("headline"), names.join(" "));
  assert.ok(await page.locator("#start-experiment").isEnabled());
});

everyWay("runs", START);
