// The inside of a learner: needs, reasons, ablations, its life as a file.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { everyWay, onEach, tickOf, until } from "../harness.mjs";

const START = { view: "organism", load: "one-life" };

/** Text of a column of a table by its number. */
const column = (page, table, n) =>
  page.locator(`${table} tbody tr`).evaluateAll((rows, n) => rows.map((row) => row.children[n].textContent), n);

async function give(page, name, text) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#give-life")]);
  await chooser.setFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
}

onEach("needs and the reason change while it lives", START, async ({ page, shot }) => {
  await page.waitForSelector("#needs");
  assert.equal(await page.locator("#needs tbody tr").count(), 6);
  await page.click("#step");
  await until(page, "it acted", () => !document.querySelector("#why").textContent.startsWith("Press"));
  const [why, levels] = [await page.locator("#why").textContent(), await column(page, "#needs", 2)];
  await page.selectOption("#speed", "10");
  await page.click("#play");
  await until(page, "another reason", (before) => document.querySelector("#why").textContent !== before, why);
  await until(page, "other levels", (before) =>
    [...document.querySelectorAll("#needs tbody tr")].map((r) => r.children[2].textContent).join() !== before, levels.join());
  await until(page, "it remembers what followed", () => document.querySelectorAll("#contingencies tbody tr").length >= 5);
  await until(page, "it knows a place", () => document.querySelector("#places .here"));
  assert.ok(await page.locator("#reflexes td").count() >= 24);
  await shot("organism", { fullPage: true });
});

onEach("an ablation acts at once, and is taken back", START, async ({ page }) => {
  await page.click("#play");
  const explored = () => column(page, "#decision", 3);
  await until(page, "it explores", () => [...document.querySelectorAll("#decision tbody tr")].some((r) => Number(r.children[3].textContent) !== 0));
  await page.uncheck("#switch-exploration");
  await until(page, "nothing is explored", () =>
    [...document.querySelectorAll("#decision tbody tr")].every((r) => Math.abs(Number(r.children[3].textContent)) === 0));
  await page.waitForTimeout(500);
  assert.ok((await explored()).every((v) => Math.abs(Number(v)) === 0));
  assert.equal(await page.isChecked("#switch-exploration"), false);
  await page.check("#switch-exploration");
  await until(page, "it explores again", () => [...document.querySelectorAll("#decision tbody tr")].some((r) => Number(r.children[3].textContent) !== 0));
});

onEach("a life is taken away, given back, and refused when damaged", START, async ({ page, shot }) => {
  for (let i = 0; i < 3; i++) await page.click("text=+1 s");
  await until(page, "three seconds", () => document.querySelector("#clock").textContent.endsWith("tick 60"));
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-life")]);
  const text = await readFile(await file.path(), "utf8");
  JSON.parse(text);
  await give(page, "mine.json", text);
  await until(page, "the transfer is reported", () => document.querySelector("#life-report").textContent.length > 20);
  assert.equal(await page.locator("#life-report.bad").count(), 0);
  await shot("organism-transfer", { fullPage: true });
  const levels = await column(page, "#needs", 2);
  await give(page, "cut.json", text.slice(0, text.length / 2));
  await page.waitForSelector("#life-report.bad");
  assert.match(await page.locator("#life-report").textContent(), /cut\.json was refused: .+as it was/s);
  await give(page, "huge.json", " ".repeat(16 << 20));
  await until(page, "the size is refused", () => /huge\.json has 16777216 bytes/.test(document.querySelector("#life-report").textContent));
  assert.deepEqual(await column(page, "#needs", 2), levels);
  assert.equal(await tickOf(page), 60);
});

everyWay("organism", START);
