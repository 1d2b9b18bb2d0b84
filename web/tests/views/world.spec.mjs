// The world: watched, changed by hand, saved, loaded and shared.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { everyWay, onEach, until } from "../harness.mjs";

const START = { view: "world", load: "one-life" };
/** What is shown of `one-life`, m: the room up to its window half a metre beyond the upper wall. */
const ROOM = [3, 3];
const SUNNY = [4, 3.2];

/** From metres to a place on the screen, as long as nobody zoomed. */
async function places(page, room = ROOM) {
  await page.waitForSelector("#robots");
  await page.locator("canvas.plane").scrollIntoViewIfNeeded();
  const box = await page.locator("canvas.plane").boundingBox();
  const scale = Math.min(box.width / (room[0] * 1.06), box.height / (room[1] * 1.06));
  return (x, y) => [
    box.x + box.width / 2 + (x - room[0] / 2) * scale,
    box.y + box.height / 2 - (y - room[1] / 2) * scale,
  ];
}

async function drag(page, from, to) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
  await page.mouse.move(...to, { steps: 3 });
  await page.mouse.up();
}

const chosen = (page, name) =>
  until(page, `${name} is chosen`, (n) => document.querySelector("#chosen")?.textContent === n, name);
const value = (page, label) => page.locator("[aria-label=Place]").getByLabel(label, { exact: true }).inputValue().then(Number);
const near = (got, wanted, within = 0.03) =>
  assert.ok(Math.abs(got - wanted) < within, `${got}, not within ${within} of ${wanted}`);

onEach("things are drawn, moved and taken away", START, async ({ page, shot }) => {
  const at = await places(page);
  await page.click("#tool-disc");
  await drag(page, at(0.8, 1.9), at(0.95, 1.9));
  await chosen(page, "disc 1");
  await page.click("#tool-select");
  await drag(page, at(0.8, 1.9), at(1.2, 2.0));
  await until(page, "the disc is there", () => Math.abs(Number(document.querySelector("[aria-label=Place] input")?.value) - 1.2) < 0.03);
  near(await value(page, "x m"), 1.2);
  near(await value(page, "y m"), 2.0);
  await page.click("#tool-wall");
  await drag(page, at(1.6, 0.4), at(1.6, 1.0));
  await chosen(page, "wall 1");
  await page.click("#tool-box");
  await drag(page, at(0.4, 0.3), at(0.7, 0.6));
  await chosen(page, "box 1");
  await page.click("#tool-tape");
  for (const point of [[1.9, 0.4], [2.3, 0.5], [2.5, 0.9]]) await page.mouse.click(...at(...point));
  await page.focus("canvas.plane");
  await page.keyboard.press("Enter");
  await chosen(page, "tape 1");
  await shot("world-drawn");
  await page.click("#remove");
  await until(page, "nothing is chosen", () => !document.querySelector("#chosen"));
});

const SUNLIT = { view: "world", load: "sunny-room" };
const placed = (page, x, y) => until(page, `it stands at ${x}, ${y}`, ([x, y]) => {
  const [a, b] = [...document.querySelectorAll("[aria-label=Place] input")].map((input) => Number(input.value));
  return Math.abs(a - x) < 0.04 && Math.abs(b - y) < 0.04;
}, [x, y]);

onEach("lights and sources are dragged, switched, added and taken away", SUNLIT, async ({ page, shot }) => {
  const at = await places(page, SUNNY);
  for (const [name, from, to, is] of [
    ["source of warmth 1", [3.5, 1.5], [2.6, 2.2], [2.6, 2.2]],
    ["source of gas 2", [0.6, 2.4], [1.2, 0.4], [1.2, 0.4]],
    ["lamp 2", [0.6, 0.6], [0.3, 2.6], [0.3, 2.6]],
    // A window has a direction: along itself it stays where it is.
    ["window 1", [2, 3.2], [2.6, 2.9], [2, 2.9]],
  ]) {
    await drag(page, at(...from), at(...to));
    await chosen(page, name);
    await placed(page, ...is);
  }
  await page.click("#power");
  await until(page, "it is dark", () => document.querySelector("#power")?.textContent === "Switch on");
  for (const [tool, where, name] of [
    ["lamp", [2, 0.4], "lamp 4"],
    ["window", [3.9, 2.4], "window 5"],
    ["warmth", [3.2, 0.6], "source of warmth 3"],
    ["gas", [1.8, 1.2], "source of gas 4"],
    ["station", [0.1, 1.5], "station 2"],
  ]) {
    await page.click(`#tool-${tool}`);
    await page.mouse.click(...at(...where));
    await chosen(page, name);
  }
  await shot("world-lit");
  await page.click("#tool-select");
  await page.mouse.click(...at(3.2, 0.6));
  await chosen(page, "source of warmth 3");
  await page.click("#remove");
  await until(page, "nothing is chosen", () => !document.querySelector("#chosen"));
  await page.mouse.click(...at(1.8, 1.2));
  await chosen(page, "source of gas 3");
  await page.click("#play");
  await until(page, "the run goes on", () => Number(/tick (\d+)/.exec(document.querySelector("#clock")?.textContent ?? "")?.[1]) >= 20);
});

onEach("everything can be done by keys", START, async ({ page }) => {
  await places(page);
  await page.focus("#tool-beacon");
  await page.keyboard.press("Enter");
  await page.focus("canvas.plane");
  await page.keyboard.press("Enter");
  await chosen(page, "beacon 1");
  const before = await value(page, "x m");
  await page.focus("canvas.plane");
  await page.keyboard.press("Shift+ArrowRight");
  await until(page, "it moved", (x) => Number(document.querySelector("[aria-label=Place] input")?.value) > x + 0.03, before);
  await page.keyboard.press("Delete");
  await until(page, "it is gone", () => !document.querySelector("#chosen"));
});

onEach("robot and station are dragged, the station switched", START, async ({ page, shot }) => {
  const at = await places(page);
  const x = Number(await page.locator("#robots td.n").nth(1).textContent());
  const y = Number(await page.locator("#robots td.n").nth(2).textContent());
  await drag(page, at(x, y), at(1.5, 1.0));
  await until(page, "the robot is there", () => Math.abs(Number(document.querySelectorAll("#robots td.n")[1]?.textContent) - 1.5) < 0.04);
  await drag(page, at(2.9, 1.25), at(2.2, 1.7));
  await chosen(page, "station 1");
  await until(page, "the station is there", () => Math.abs(Number(document.querySelector("[aria-label=Place] input")?.value) - 2.2) < 0.04);
  await page.click("#power");
  await until(page, "the station is off", () => document.querySelector("#power")?.textContent === "Switch on");
  await shot("world-station-off");
});

onEach("a robot is driven by hand and goes back to its mind", START, async ({ page }) => {
  await places(page);
  await page.click("#drive-ahead");
  await until(page, "it is driven by hand", () => /by hand, [23]\.\d s left/.test(document.querySelector(".by-hand")?.textContent ?? ""));
  await page.click("#play");
  await until(page, "its mind has it back", () => !document.querySelector(".by-hand"));
});

onEach("a world is saved, shared and loaded again", START, async ({ page, context }) => {
  const at = await places(page);
  await page.click("#tool-disc");
  await drag(page, at(0.8, 1.9), at(0.9, 1.9));
  await chosen(page, "disc 1");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-world")]);
  assert.match(file.suggestedFilename(), /\.toml$/);
  await page.click("#share-world");
  const link = await page.locator("#world-link").inputValue();
  const other = await context.newPage();
  await other.goto(link);
  const there = await places(other);
  await other.mouse.click(...there(0.8, 1.9));
  await chosen(other, "disc 1");
  await other.close();
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#load-file")]);
  await chooser.setFiles(await file.path().then((path) => ({ path })).then(async ({ path }) => ({
    name: "mine.toml", mimeType: "text/plain", buffer: await (await import("node:fs/promises")).readFile(path),
  })));
  await until(page, "it is loaded", () => !document.querySelector(".fault") && document.querySelector("#clock")?.textContent?.endsWith("tick 0"));
});

onEach("a saved world brings its program along", { view: "world", load: "machine-track" }, async ({ page, context, url }) => {
  await page.waitForSelector("#robots");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-world")]);
  const buffer = await readFile(await file.path());
  // Another page, which knows nothing but the file.
  const other = await context.newPage();
  await other.goto(url);
  await other.waitForSelector("#load-file");
  const [chooser] = await Promise.all([other.waitForEvent("filechooser"), other.click("#load-file")]);
  await chooser.setFiles({ name: "mine.toml", mimeType: "text/plain", buffer });
  await until(other, "its state machine is there", () => document.querySelector("[aria-label=About] h2")?.textContent === "machine on the line track");
  assert.equal(await other.locator(".fault").count(), 0);
  await other.click("#play");
  await until(other, "it runs", () => Number(/tick (\d+)/.exec(document.querySelector("#clock")?.textContent ?? "")?.[1]) >= 20);
  await other.close();
});

onEach("a bad file is refused with its place, and the world stays", START, async ({ page }) => {
  await places(page);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#load-file")]);
  const text = 'kind = "scenario"\nworld = "course_room"\nmimd = "do_nothing"\n';
  await chooser.setFiles({ name: "bad.toml", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.waitForSelector(".fault");
  assert.match(await page.locator(".fault").textContent(), /bad\.toml:3:\d+.*mimd/);
  assert.equal(await page.locator("#robots tbody tr").count(), 1);
});

onEach("a robot is followed, and resets take it back", START, async ({ page }) => {
  await places(page);
  await page.click("#follow");
  await page.click("#play");
  await until(page, "three seconds of the run", () => Number(/tick (\d+)/.exec(document.querySelector("#clock")?.textContent ?? "")?.[1]) >= 60);
  await page.click("#reset-whole");
  await until(page, "tick 0 again", () => Number(/tick (\d+)/.exec(document.querySelector("#clock")?.textContent ?? "")?.[1]) < 40);
});

everyWay("world", START);
everyWay("world-sunny", SUNLIT);
