// The same follower with memory: where neither sensor sees tape it turns on the spot toward the side
// where it saw tape last; over a gap it first goes straight on for a moment.
function control({ line, t }, memory) {
  const error = line.left - line.right;
  if (line.left + line.right > 0) memory.tapeAt = t;
  if (error) memory.side = error;
  const side = memory.side ?? 1;
  const lostFor = t - (memory.tapeAt ?? t);
  if (lostFor > 0.6) return { left: -0.25 * side, right: 0.25 * side };
  const turn = lostFor > 0 ? 0.05 * (memory.side ?? 0) : 0.35 * error;
  return { left: 0.4 - turn, right: 0.4 + turn };
}
