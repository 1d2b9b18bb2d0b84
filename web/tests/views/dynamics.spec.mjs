// A network: its graph, why a node is as it is, and its file edited while it runs.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { everyWay, onEach, tickOf, until } from "../harness.mjs";
import { root } from "../serve.mjs";

const START = { view: "dynamics", load: "network-figure2" };
const TEXT = await readFile(join(root, "scenarios/dynamics/figure2.toml"), "utf8");

/** Puts a text into the editor as a paste does. */
async function write(page, text) {
  await page.locator("#spec").focus();
  await page.keyboard.press("Control+a");
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelector("#spec").dispatchEvent(event);
  }, text);
}

onEach("the graph shows nodes, and a node says why it is as it is", START, async ({ page, shot }) => {
  await page.waitForSelector("#graph .node");
  assert.ok(await page.locator("#graph .node.behaviour").count() >= 4);
  assert.ok(await page.locator("#graph path.edge").count() >= 8);
  await page.click("#play");
  await until(page, "a second", () => Number(/tick (\d+)/.exec(document.querySelector("#clock").textContent)[1]) >= 50);
  await page.locator("#graph .node.behaviour").nth(1).focus();
  await page.keyboard.press("Enter");
  const name = await page.locator("#graph .node.chosen text").first().textContent();
  await until(page, "the chosen one is explained", (name) => document.querySelector("#why h2").textContent.includes(name), name);
  await until(page, "its terms are listed", () => document.querySelectorAll("#why tbody tr").length > 0);
  assert.match(await page.locator("#why h2").textContent(), /is -?\d+\.\d{3}/);
  await shot("dynamics", { fullPage: true });
});

onEach("an array is one box, and each of its nodes can be chosen", { view: "dynamics", load: "network-course" }, async ({ page, shot }) => {
  await page.waitForSelector("#graph .node");
  const ray = page.locator("#graph .node", { hasText: "L0.rays[0…10]" });
  assert.equal(await ray.count(), 1);
  assert.equal(await ray.locator(".fill").count(), 11);
  await page.click("#step");
  await page.selectOption("#node", { label: "L0.bell[4] (percept)" });
  await until(page, "it is chosen", () => document.querySelector("#why h2").textContent.startsWith("Why L0.bell[4] is"));
  await shot("dynamics-array");
});

onEach("a faulty edit is refused at its line, a good one is taken, the run goes on", START, async ({ page, shot }) => {
  await page.click("#play");
  await write(page, TEXT.replace('dt0 = "20ms"', 'dt0 = "20parsec"'));
  await page.click("#apply-spec");
  await page.waitForSelector("#spec-report.bad");
  const line = TEXT.split("\n").findIndex((l) => l.startsWith("dt0")) + 1;
  assert.match(await page.locator("#spec-report").textContent(), new RegExp(`:${line}:\\d+: .+\nThe running network is as it was`, "s"));
  await page.waitForSelector(".cm-lint-marker-error");
  assert.ok(await page.getByText("20parsec").first().isVisible());
  await shot("dynamics-fault", { fullPage: true });
  const before = await tickOf(page);
  await until(page, "it goes on", (t) => Number(/tick (\d+)/.exec(document.querySelector("#clock").textContent)[1]) > t + 20, before);
  await write(page, TEXT.replace("vmax = { value = 0.8", "vmax = { value = 0.5"));
  await page.click("#apply-spec");
  await until(page, "it is taken", () => /^Accepted/.test(document.querySelector("#spec-report").textContent));
  await until(page, "it runs", () => document.body.textContent.includes("This is what runs."));
  await until(page, "the editor holds it", () => document.querySelector("#spec").textContent.includes("vmax = { value = 0.5"));
  const later = await tickOf(page);
  assert.ok(later > before, "the run was not begun anew");
  assert.equal(await page.locator(".cm-lint-marker-error").count(), 0);
});

onEach("another scene is chosen, and a mode set by hand", START, async ({ page }) => {
  await page.waitForSelector("#scene");
  const scenes = await page.locator("#scene option").allTextContents();
  assert.ok(scenes.length > 1);
  await page.selectOption("#scene", scenes[1]);
  await until(page, "the scene is there", (name) => document.querySelector(".scene h2").textContent === `Scene: ${name}`, scenes[1]);
  const mode = page.locator(".panel", { hasText: "Scene and modes" }).locator("input[type=range]").first();
  await mode.fill("0");
  await until(page, "the mode is 0", () => [...document.querySelectorAll("output")].some((o) => o.textContent === "0.00"));
});

onEach("a parameter is set, and the file says so", START, async ({ page }) => {
  await page.waitForSelector("#parameters");
  await page.click("#parameters summary");
  const speed = page.locator("#parameters").getByLabel("vmax (m/s)");
  await speed.fill("0.4");
  await speed.press("Enter");
  await page.click("#step");
  await page.click("#step");
  await until(page, "the file holds it", () => document.querySelector("#spec").textContent.includes("vmax = { value = 0.4"));
  assert.equal(await speed.inputValue(), "0.4");
});

everyWay("dynamics", START);
everyWay("dynamics-course", { view: "dynamics", load: "network-course" });
