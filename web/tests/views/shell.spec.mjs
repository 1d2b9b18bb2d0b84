// The frame around the views, on both back ends.
import assert from "node:assert/strict";
import { everyWay, onEach, until } from "../harness.mjs";

const clock = () => document.querySelector("[data-tick]")?.getAttribute("data-tick");

onEach("a run starts, goes on by itself and stands still again", { view: "world", load: "one-life" }, async ({ page, shot, on }) => {
  const where = on === "server" ? "on the server" : "in this browser";
  await until(page, "the footer says where it runs", (text) => document.querySelector("footer")?.textContent?.includes(text), where);
  await page.getByRole("button", { name: "Play" }).click();
  await until(page, "two seconds of the run", () => Number(document.querySelector("[data-tick]")?.getAttribute("data-tick")) >= 40);
  await shot("shell-playing");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.waitForTimeout(300);
  const before = await page.evaluate(clock);
  await page.waitForTimeout(500);
  assert.equal(await page.evaluate(clock), before);
});

onEach("every tab opens", { view: "world", load: "one-life" }, async ({ page }) => {
  const tabs = await page.locator("nav a").all();
  assert.ok(tabs.length >= 5);
  for (const tab of tabs) {
    await tab.click();
    await until(page, "the view is there", () => !document.querySelector("main .quiet")?.textContent?.startsWith("Loading"));
  }
});

everyWay("shell", { view: "world", load: "one-life" });
