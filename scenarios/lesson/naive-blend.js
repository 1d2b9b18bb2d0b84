// Adds the turn toward the beacon and the turn away from obstacles. In an inside corner the two
// cancel: nothing in it notices that it gets nowhere.
function control({ goal, ultrasonic: u }, memory) {
  const closeness = (cm) => Math.max(0, 1 - cm / 50);
  memory.toGoal = 0.4 * Math.max(-1, Math.min(1, goal.bearing));
  memory.away = 0.9 * (closeness(u.right) - closeness(u.left));
  const speed = 0.5 * Math.max(0, 1 - 1.6 * closeness(u.front));
  const turn = memory.toGoal + memory.away;
  return { left: speed - turn, right: speed + turn };
}
