// Replays a recording: node parity.mjs MODULE.wasm RECORDING
import { readFileSync } from "node:fs";

const [modulePath, recordingPath] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const { memory, room, replay } = instance.exports;
const recording = readFileSync(recordingPath);
const start = room(recording.length);
new Uint8Array(memory.buffer).set(recording, start);
const length = replay(start, recording.length);
if (length === 0) {
  console.error(`${recordingPath}: not a recording`);
  process.exit(1);
}
process.stdout.write(Buffer.from(memory.buffer, start, length));
