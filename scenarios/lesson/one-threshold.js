// Avoids with a single threshold: Avoid begins and ends at 20 cm, with no minimum time.
function control({ ultrasonic: u }, memory) {
  const state = u.front < 20 ? "Avoid" : "Cruise";
  if (state !== memory.state) {
    memory.changes = (memory.changes ?? -1) + 1;
    console.log(`${state}, change ${memory.changes}, front ${u.front.toFixed(1)} cm`);
  }
  memory.state = state;
  if (state === "Avoid") return u.left > u.right ? { left: -0.2, right: 0.5 } : { left: 0.5, right: -0.2 };
  const closeness = (cm) => Math.max(0, 1 - cm / 50);
  const turn = 0.5 * (closeness(u.right) - closeness(u.left));
  const speed = u.front < 50 ? 0.3 : 0.5;
  return { left: speed - turn, right: speed + turn };
}
