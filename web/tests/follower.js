// Follows the tape by its two line sensors and turns away from what stands in front.
function control(sensors, memory) {
  const { left, right } = sensors.line;
  if (left !== right) memory.side = left ? 1 : -1;
  memory.turns = (memory.turns ?? 0) + (left !== right ? 1 : 0);
  if (sensors.ultrasonic.valid.front && sensors.ultrasonic.front < 18) return { left: -0.3, right: 0.3 };
  const side = memory.side ?? 1;
  if (left && right) return { left: 0.45, right: 0.45 };
  if (left) return { left: 0.1, right: 0.45 };
  if (right) return { left: 0.45, right: 0.1 };
  return { left: side > 0 ? 0.12 : 0.4, right: side > 0 ? 0.4 : 0.12 };
}
