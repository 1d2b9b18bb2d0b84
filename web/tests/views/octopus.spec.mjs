// Eight arms: commanded by pointer, keys and numbers.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { everyWay, onEach, until } from "../harness.mjs";

const START = { view: "octopus", load: "octopus-showcase" };
const state = (page, arm) => page.locator("#roster tbody tr").nth(arm - 1).locator("td").first().textContent();
const becomes = (page, arm, pattern) =>
  until(page, `arm ${arm} is ${pattern}`, ([arm, pattern]) =>
    new RegExp(pattern).test(document.querySelectorAll("#roster tbody tr")[arm - 1].children[1].textContent), [arm, pattern]);

onEach("an arm is chosen and sent to where one clicks", START, async ({ page, shot }) => {
  await page.waitForSelector("#roster tbody tr");
  await page.getByLabel("Choose arm 2").click();
  await until(page, "arm 2 is chosen", () => document.querySelector("#arm h2").textContent === "Arm 2");
  assert.equal(await state(page, 2), "Idle");
  const box = await page.locator("canvas.plane").boundingBox();
  await page.locator("canvas.plane").click({ position: { x: box.width / 2 + 90, y: box.height / 2 - 110 } });
  await page.click("#play");
  await becomes(page, 2, "^Reached");
  await shot("octopus", { fullPage: true });
});

onEach("numbers and keys do what the pointer does", START, async ({ page }) => {
  await page.waitForSelector("#roster tbody tr");
  await page.focus("canvas.plane");
  await page.keyboard.press("3");
  await until(page, "arm 3 is chosen", () => document.querySelector("#arm h2").textContent === "Arm 3");
  const objects = await page.locator("#object option").count();
  await page.fill("#object-x", "60");
  await page.fill("#object-y", "90");
  await page.click("#add-food");
  await until(page, "the food is listed", (n) => document.querySelectorAll("#object option").length === n + 1, objects);
  const added = (await page.locator("#object option").allTextContents()).at(-1);
  assert.match(added, /^food \d+ at 60, 90/);
  await page.selectOption("#object", { label: added });
  await page.focus("canvas.plane");
  await page.keyboard.press("Delete");
  await until(page, "it is gone", (n) => document.querySelectorAll("#object option").length === n, objects);
  await page.click("#play");
  await becomes(page, 3, "^Reached");
  await page.focus("canvas.plane");
  await page.keyboard.press("x");
  await becomes(page, 3, "^Idle");
  await page.fill("#to-x", "610");
  await page.fill("#to-y", "400");
  await page.click("#send");
  await becomes(page, 3, "^Reach");
});

onEach("the law is switched, a hazard reported", START, async ({ page, shot }) => {
  await page.waitForSelector("#law");
  const laws = await page.locator("#law option").evaluateAll((all) => all.map((o) => o.value));
  const other = laws.find((law) => law !== laws[0]);
  await page.selectOption("#law", other);
  await until(page, "the law is in force", (law) => document.querySelector("#law").value === law, other);
  await page.click("#play");
  await page.waitForTimeout(300);
  assert.equal(await page.locator("#law").inputValue(), other);
  await page.click("#tool-hazard");
  const box = await page.locator("canvas.plane").boundingBox();
  await page.locator("canvas.plane").click({ position: { x: box.width / 2 + 60, y: box.height / 2 + 40 } });
  await until(page, "the hazard counts", () => [...document.querySelectorAll(".facts div")].some((d) => /^hazards[1-9]/.test(d.textContent)));
  await shot("octopus-hazard", { fullPage: true });
});

onEach("food is captured and logged", { view: "octopus", load: "octopus-detour" }, async ({ page }) => {
  await page.click("#play");
  await until(page, "a capture", () => Number(document.querySelector("#captures")?.textContent) >= 1);
  assert.match(await page.locator("#capture-log li").first().textContent(), /arm \d took object \d/);
});

onEach("a scene is edited, saved and loaded again", START, async ({ page }) => {
  await page.waitForSelector("#object");
  const objects = await page.locator("#object option").count();
  await page.fill("#object-x", "640");
  await page.fill("#object-y", "700");
  await page.click("#add-obstacle");
  await until(page, "the obstacle is listed", (n) => document.querySelectorAll("#object option").length === n + 1, objects);
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-world")]);
  assert.match(file.suggestedFilename(), /\.json$/);
  const buffer = await readFile(await file.path());
  await page.selectOption("#load", "octopus-detour");
  await until(page, "another scene", () => document.querySelector("#load").selectedOptions[0].textContent !== "What an arm can do");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#load-file")]);
  await chooser.setFiles({ name: file.suggestedFilename(), mimeType: "application/json", buffer });
  await until(page, "it is back", (n) => document.querySelectorAll("#object option").length === n + 1, objects);
  const there = await page.locator("#object option").allTextContents();
  assert.ok(there.some((text) => /obstacle \d+ at 640, 700/.test(text)), there.join("; "));
});

everyWay("octopus", START);
