// Sensors and motors over time, grouped by what is measured.
import { useState } from "preact/hooks";
import { lab } from "../../lab";
import type { SensorStage } from "../../protocol";
import { Plot } from "../../ui/plot";
import { words } from "../../ui/text";

const OPEN = new Set(["range", "digital"]);
const TITLES: Record<string, string> = {
  range: "Rangers", digital: "Line sensors and bumper", reflectance: "Reflectance", proprioception: "Own motion",
  inertial: "Turn and acceleration", light: "Light", adc: "Voltages",
};

interface Group {
  kind: string;
  unit: string;
  indices: number[];
}

export function Signals({ robot }: { robot: number }) {
  const stage = lab.stage.value?.robots?.robots[robot];
  if (!stage) return null;
  const key = lab.stage.value?.name;
  const names = stage.actuators.map((a) => words(a.name));
  const low = Math.min(...stage.actuators.map((a) => a.min), 0);
  const high = Math.max(...stage.actuators.map((a) => a.max), 0);
  return (
    <section class="panel" aria-label="Signals">
      <h2>Signals over time in s</h2>
      <h3>Motors</h3>
      <Plot
        label="Motors over time"
        names={names}
        range={[low - 0.05, high + 0.05]}
        height={120}
        reset={key}
        read={(frame) => frame.robots?.robots[robot]?.actuators ?? []}
      />
      {groups(stage.sensors).map((group) => (
        <SensorGroup key={`${key} ${group.kind} ${group.unit}`} group={group} sensors={stage.sensors} robot={robot} />
      ))}
    </section>
  );
}

function groups(sensors: SensorStage[]): Group[] {
  const list: Group[] = [];
  sensors.forEach((sensor, i) => {
    const group = list.find((g) => g.kind === sensor.kind && g.unit === sensor.unit);
    if (group) group.indices.push(i);
    else list.push({ kind: sensor.kind, unit: sensor.unit, indices: [i] });
  });
  return list.sort((a, b) => Number(OPEN.has(b.kind)) - Number(OPEN.has(a.kind)));
}

/** A plot is only there while it is open: what nobody looks at is not drawn. */
function SensorGroup({ group, sensors, robot }: { group: Group; sensors: SensorStage[]; robot: number }) {
  const [isOpen, setOpen] = useState(OPEN.has(group.kind));
  const title = `${TITLES[group.kind] ?? words(group.kind)}${group.unit ? `, ${group.unit}` : ""}`;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && (
        <Plot
          label={`${title} over time`}
          names={group.indices.map((i) => words(sensors[i]?.name ?? ""))}
          height={120}
          reset={lab.stage.value?.name}
          read={(frame) => group.indices.map((i) => frame.robots?.robots[robot]?.sensors[i])}
        />
      )}
    </details>
  );
}
