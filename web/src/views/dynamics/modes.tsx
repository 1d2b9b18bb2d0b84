// What the experimenter sets by hand: modes, and the scene.
import { lab } from "../../lab";
import type { DynamicsStage } from "../../protocol";
import { number } from "../../ui/text";

export function Modes({ stage }: { stage: DynamicsStage }) {
  const name = lab.stage.value?.name ?? "";
  return (
    <section class="panel">
      <h2>Scene and modes</h2>
      <label class="row small">
        Scene{" "}
        <select
          id="scene"
          value={stage.scene}
          onChange={(event) => {
            const scene = event.currentTarget.value;
            const isBuiltIn = lab.entries.value.some((e) => e.name === name);
            const source = isBuiltIn
              ? ({ from: "built_in", name } as const)
              : ({ from: "text", file: { name: `${name}.toml`, text: stage.text }, files: [] } as const);
            void lab.ask({ do: "load", source: source as never, scene });
          }}
        >
          {stage.scenes.map((scene) => <option key={scene} value={scene}>{scene}</option>)}
        </select>
      </label>
      {stage.modes.map((mode) => (
        <label key={mode.name} class="row small" title={mode.about}>
          <span class="grow">{mode.name}{mode.unit ? ` (${mode.unit})` : ""}</span>
          <input
            type="range"
            min={mode.min}
            max={mode.max}
            step="any"
            value={mode.value}
            onChange={(e) => void lab.ask({ do: "mode", name: mode.name, value: Number(e.currentTarget.value) })}
          />
          <output>{number(mode.value)}</output>
        </label>
      ))}
    </section>
  );
}
