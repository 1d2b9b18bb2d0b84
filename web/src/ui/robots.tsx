// Which robot's inside is shown.
import { lab } from "../lab";

export function RobotChoice() {
  const robots = lab.stage.value?.robots?.robots ?? [];
  if (robots.length < 2) return null;
  return (
    <label>
      Robot{" "}
      <select
        id="robot"
        value={String(lab.watched.value)}
        onChange={(event) => lab.follow(Number(event.currentTarget.value))}
      >
        {robots.map((robot, i) => (
          <option key={i} value={String(i)}>{robot.name}</option>
        ))}
      </select>
    </label>
  );
}
