// The frame around the views, on both back ends.
import assert from "node:assert/strict";
import { everyWay, onEach, tickOf, until } from "../harness.mjs";

onEach("a run starts, goes on by itself and stands still again", { view: "world", load: "one-life" }, async ({ page, shot, on }) => {
  const where = on === "server" ? "on the server" : "in this browser";
  await until(page, "the footer says where it runs", (text) => document.querySelector("footer")?.textContent?.includes(text), where);
  await page.locator("#play").click();
  await until(page, "two seconds of the run", () => Number(/tick (\d+)/.exec(document.querySelector("#clock").textContent)[1]) >= 40);
  await shot("shell-playing");
  await page.locator("#play").click();
  await page.waitForTimeout(300);
  const before = await tickOf(page);
  await page.waitForTimeout(500);
  assert.equal(await tickOf(page), before);
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
