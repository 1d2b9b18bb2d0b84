// The same, but Avoid begins below 20 cm and ends above 30 cm, after 0.8 s at least.
function control({ ultrasonic: u, t }, memory) {
  const isEntering = memory.state !== "Avoid" && u.front < 20;
  const isLeaving = memory.state === "Avoid" && u.front > 30 && t - memory.since > 0.8;
  if (isLeaving || isEntering || memory.state === undefined) {
    memory.state = isEntering ? "Avoid" : "Cruise";
    memory.since = t;
    memory.changes = (memory.changes ?? -1) + 1;
    console.log(`${memory.state}, change ${memory.changes}, front ${u.front.toFixed(1)} cm`);
  }
  return memory.state === "Avoid" ? { left: -0.15, right: -0.15 } : { left: 0.15, right: 0.15 };
}
