// The same, but Avoid begins below 20 cm, ends above 30 cm after 0.8 s at least, and keeps its side.
function control({ ultrasonic: u, t }, memory) {
  const isEntering = memory.state !== "Avoid" && u.front < 20;
  const isLeaving = memory.state === "Avoid" && u.front > 30 && t - memory.since > 0.8;
  if (isEntering) memory.turn = u.left > u.right ? 1 : -1;
  if (isLeaving || isEntering || memory.state === undefined) {
    memory.state = isEntering ? "Avoid" : "Cruise";
    memory.since = t;
    memory.changes = (memory.changes ?? -1) + 1;
    console.log(`${memory.state}, change ${memory.changes}, front ${u.front.toFixed(1)} cm`);
  }
  if (memory.state === "Avoid") return memory.turn > 0 ? { left: -0.2, right: 0.5 } : { left: 0.5, right: -0.2 };
  const closeness = (cm) => Math.max(0, 1 - cm / 50);
  const turn = 0.5 * (closeness(u.right) - closeness(u.left));
  const speed = u.front < 50 ? 0.3 : 0.5;
  return { left: speed - turn, right: speed + turn };
}
