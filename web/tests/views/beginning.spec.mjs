// A server started with something to begin with: the page leaves it on the table.
import assert from "node:assert/strict";
import { test } from "node:test";
import { backends, browser, until } from "../harness.mjs";
import { serveLab } from "../serve.mjs";

if (backends().includes("server")) {
  test("what a server began with stays on the table (server)", { timeout: 60_000 }, async () => {
    const lab = await serveLab(["scenarios/dynamics/figure2.toml"]);
    const page = await (await browser()).newPage();
    try {
      await page.goto(lab.url);
      await until(page, "the network is shown", () => document.querySelectorAll("#graph .node").length > 4);
      await page.waitForTimeout(1000);
      assert.match(await page.locator("#load option:checked").textContent(), /figure2/);
      assert.match(page.url(), /#\/dynamics$/);
    } finally {
      await page.close();
      await lab.close();
    }
  });
} else {
  test("what a server began with stays on the table", { skip: "there is no server" }, () => {});
}
