// Runs the tests of the page, one after the other, in a browser: npm run e2e [WORD …]
// With words only the files whose name has one of them.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { root } from "./serve.mjs";

const words = process.argv.slice(2);
const folder = join(root, "web/tests/views");
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".spec.mjs") && (!words.length || words.some((word) => name.includes(word))))
  .sort()
  .map((name) => join(folder, name));
const count = { passed: 0, failed: 0 };
const tests = run({ files, concurrency: 1 });
// A file counts as a test of its own when it could not be read at all.
const isTest = ({ details, file, name, nesting }) => nesting > 0 || details.type === "test" || name !== file;
tests.on("test:pass", (data) => (count.passed += Number(isTest(data) && !files.includes(data.name))));
tests.on("test:fail", (data) => (count.failed += Number(isTest(data))));
tests.on("end", () => {
  const word = count.failed ? "FAILED" : "ok";
  console.log(`test result: ${word}. ${count.passed} passed; ${count.failed} failed;`);
  process.exitCode = count.failed || !count.passed ? 1 : 0;
});
tests.compose(new spec()).pipe(process.stdout);
