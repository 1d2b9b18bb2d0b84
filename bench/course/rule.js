// The proximity rule of the native vehicle, as a script: what a call costs when the script itself
// does little.
function control(sensors, memory) {
  const u = sensors.ultrasonic;
  return {
    left: 0.6 - 0.8 * Math.max(0, 1 - u.right / 50),
    right: 0.6 - 0.8 * Math.max(0, 1 - u.left / 50),
  };
}
