// Runs the tests of the page, one after the other, in a browser: npm run e2e [WORD …]
// With words only the files whose name has one of them.
//
// A browser without a graphics card on a busy machine now and then misses a time limit. A file in
// which a test failed is therefore run once more, says so, and counts by the second time.
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
// A file counts as a test of its own when it could not be read at all.
const isTest = ({ details, file, name, nesting }) => nesting > 0 || details.type === "test" || name !== file;

/** Passed and failed tests of some files, by file. */
function attempt(chosen) {
  return new Promise((done) => {
    const counts = new Map(chosen.map((file) => [file, { passed: 0, failed: 0 }]));
    const of = ({ file, name }) => counts.get(file) ?? counts.get(name) ?? counts.values().next().value;
    const tests = run({ files: chosen, concurrency: 1 });
    tests.on("test:pass", (data) => (of(data).passed += Number(isTest(data) && !files.includes(data.name))));
    tests.on("test:fail", (data) => (of(data).failed += Number(isTest(data))));
    tests.on("end", () => done(counts));
    tests.compose(new spec()).pipe(process.stdout, { end: false });
  });
}

const counts = await attempt(files);
const failed = [...counts].filter(([, count]) => count.failed).map(([file]) => file);
if (failed.length) {
  console.log(`once more, because a test failed: ${failed.map((file) => file.slice(folder.length + 1)).join(", ")}`);
  for (const [file, count] of await attempt(failed)) counts.set(file, count);
}
const total = { passed: 0, failed: 0 };
for (const count of counts.values()) {
  total.passed += count.passed;
  total.failed += count.failed;
}
console.log(`test result: ${total.failed ? "FAILED" : "ok"}. ${total.passed} passed; ${total.failed} failed;`);
process.exit(total.failed || !total.passed ? 1 : 0);
