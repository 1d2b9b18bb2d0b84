// Looks for tape in a room that has none: its search has no time limit and never ends.
function control({ line, t }, memory) {
  memory.state = line.left + line.right > 0 ? "Follow" : "Recover";
  memory.searched_s = t;
  if (memory.state === "Follow") return { left: 0.5, right: 0.5 };
  return { left: 0.05, right: 0.55 };
}
