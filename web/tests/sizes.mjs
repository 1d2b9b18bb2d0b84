// Sizes of the page as a browser loads it first, compressed; fails above the bound.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { dist } from "./serve.mjs";

/** Largest first load, bytes compressed. */
const BOUND = 1_500_000;

const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
const rows = files.map((file) => {
  const bytes = readFileSync(file);
  return {
    name: file.slice(dist.length + 1),
    plain: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes).length,
  };
});
rows.sort((a, b) => b.gzip - a.gzip || (a.name < b.name ? -1 : 1));
const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
const line = (name, plain, gzip, brotli) =>
  `${String(plain).padStart(9)} ${String(gzip).padStart(9)} ${String(brotli).padStart(9)}  ${name}`;
console.log(line("bytes: plain, gzip, brotli", "plain", "gzip", "brotli"));
for (const { name, plain, gzip, brotli } of rows) console.log(line(name, plain, gzip, brotli));
const total = sum("gzip");
// Every file counts, also those of views that are loaded later: the first load is never more.
console.log(line(`everything; at most ${BOUND} with gzip`, sum("plain"), total, sum("brotli")));
if (total > BOUND) {
  console.error(`the page is ${total - BOUND} bytes too large`);
  process.exit(1);
}
