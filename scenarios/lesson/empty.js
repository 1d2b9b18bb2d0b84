// Called at every tick. `sensors` holds the readings, `memory` is yours and starts empty;
// what you return drives the wheels, each from −1 to 1.
function control(sensors, memory) {
  return { left: 0.3, right: 0.3 };
}
