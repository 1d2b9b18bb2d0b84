// Keeps away from a wall with a single threshold: Avoid begins and ends at 20 cm, with no minimum
// time. Cruise creeps ahead, Avoid creeps back, so the range stays where its noise decides.
function control({ ultrasonic: u }, memory) {
  const state = u.front < 20 ? "Avoid" : "Cruise";
  if (state !== memory.state) {
    memory.changes = (memory.changes ?? -1) + 1;
    console.log(`${state}, change ${memory.changes}, front ${u.front.toFixed(1)} cm`);
  }
  memory.state = state;
  return state === "Avoid" ? { left: -0.15, right: -0.15 } : { left: 0.15, right: 0.15 };
}
