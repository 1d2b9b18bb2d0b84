// A rater's way through a study: clips one by one, left and taken up again, ratings as CSV.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { accessible, everyWay, fits, onEach, until } from "../harness.mjs";

const START = { view: "study" };
const clip = (id, turn) => ({
  id,
  poses: Array.from({ length: 8 }, (_, i) => [0.4 + 0.05 * i, 0.5, turn * i]),
});
const STUDY = {
  format: "tropism-study", version: 1, id: "t1", title: "Two creatures", question: "How alive does it look?",
  scale: { min: 1, max: 7, low: "not at all", high: "very" }, rate_hz: 10, radius_m: 0.06,
  bounds: [[0, 0], [1.2, 1]], walls: [[[0.2, 0.2], [0.4, 0.2]]], polygons: [], discs: [{ at: [0.9, 0.8], radius_m: 0.05 }],
  stations: [[1.1, 0.5]], clips: [clip("c1", 0), clip("c2", 0.3)],
};

async function open(page, value) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#open-study")]);
  const buffer = Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
  await chooser.setFiles({ name: "study.json", mimeType: "application/json", buffer });
}

async function rate(page, n, rating) {
  await until(page, `clip ${n}`, (n) => document.querySelector("h2")?.textContent === `Clip ${n} of 2`, n);
  assert.ok(await page.locator("#answer").isDisabled());
  await page.getByLabel(String(rating), { exact: true }).check();
  await page.click("#answer");
}

onEach("clips are rated, the rater goes and comes back, the ratings are a file", START, async ({ page, shot }) => {
  await open(page, STUDY);
  await page.fill("#rater", "r 1");
  await page.click("#begin");
  await shot("study-clip");
  await rate(page, 1, 6);
  await until(page, "the second", () => document.querySelector("h2").textContent === "Clip 2 of 2");
  await page.reload();
  await rate(page, 2, 2);
  await until(page, "thanks", () => document.querySelector("h2").textContent === "Thank you");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-ratings")]);
  const rows = (await readFile(await file.path(), "utf8")).trim().split("\n");
  assert.equal(rows[0], "study,rater,clip,rating,position,seconds");
  assert.equal(rows.length, 3);
  assert.match(rows[1], /^t1,r 1,c[12],6,1,\d+(\.\d)?$/);
  assert.match(rows[2], /^t1,r 1,c[12],2,2,\d+(\.\d)?$/);
  assert.notEqual(rows[1].split(",")[2], rows[2].split(",")[2]);
});

onEach("a study that was left is there again, until it is closed", START, async ({ page }) => {
  await open(page, STUDY);
  await page.fill("#rater", "r 3");
  await page.click("#begin");
  await rate(page, 1, 4);
  await until(page, "the second", () => document.querySelector("h2").textContent === "Clip 2 of 2");
  await page.getByText("Stop for now").click();
  await page.reload();
  await until(page, "the rater is known", () => document.querySelector("#rater")?.value === "r 3");
  await until(page, "it goes on", () => document.querySelector("#begin").textContent === "Go on after 1 clip");
  await page.click("#close-study");
  await until(page, "it is gone", () => !document.querySelector("#begin"));
  await page.reload();
  await page.waitForSelector("#open-study");
  assert.equal(await page.locator("#begin").count(), 0);
  await open(page, STUDY);
  await page.fill("#rater", "r 3");
  await until(page, "ratings stayed", () => document.querySelector("#begin").textContent === "Go on after 1 clip");
});

onEach("no condition is named, and files that are none are refused in words", START, async ({ page }) => {
  await open(page, "{ not json");
  await until(page, "not JSON", () => /study\.json is not JSON/.test(document.querySelector("[role=alert]")?.textContent ?? ""));
  await open(page, { ...STUDY, version: 2 });
  await until(page, "version", () => /has version 2/.test(document.querySelector("[role=alert]")?.textContent ?? ""));
  await open(page, { ...STUDY, clips: [{ id: "x", poses: [[0, 0]] }] });
  await until(page, "damaged", () => /clips\[0\]/.test(document.querySelector("[role=alert]")?.textContent ?? ""));
  await open(page, STUDY);
  await until(page, "taken", () => !document.querySelector("[role=alert]"));
});

for (const scheme of ["light", "dark"]) {
  onEach(`a clip at 360 px, ${scheme}`, { ...START, width: 360, height: 740, scheme, motion: "reduce" }, async ({ page, shot }) => {
    await open(page, STUDY);
    await page.fill("#rater", "r2");
    await page.click("#begin");
    await page.waitForTimeout(1200);
    await shot("study-clip");
    await fits(page);
    await accessible(page);
  });
}
everyWay("study", START);
