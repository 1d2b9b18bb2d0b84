// The same line follower, but it looks at every tick.
const BETWEEN_S = 0;

function control({ line, t }, memory) {
  if (t >= (memory.next ?? 0)) {
    memory.next = t + BETWEEN_S;
    memory.looks = (memory.looks ?? 0) + 1;
    memory.error = line.left - line.right;
    memory.isOnTape = line.left + line.right > 0;
    if (memory.error) memory.side = memory.error;
  }
  if (memory.side === undefined) return { left: 0.5, right: 0.5 };
  const turn = memory.isOnTape ? 0.35 * memory.error : 0.1 * memory.side;
  return { left: 0.5 - turn, right: 0.5 + turn };
}
