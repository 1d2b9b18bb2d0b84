// What the experimenter sets by hand: modes, and the scene.
import { lab } from "../../lab";
import type { DynamicsFrame, DynamicsStage } from "../../protocol";
import { number } from "../../ui/text";

export function Modes({ stage, frame }: { stage: DynamicsStage; frame: DynamicsFrame | null }) {
  // The stage holds a mode as it began; what it is now is a signal.
  const now = (mode: { name: string; value: number }) => {
    const node = stage.nodes.find((n) => n.kind === "mode" && n.name === `mode.${mode.name}`);
    return (node && frame?.signals[node.signal]) ?? mode.value;
  };
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
            value={now(mode)}
            onChange={(e) => void lab.ask({ do: "mode", name: mode.name, value: Number(e.currentTarget.value) })}
          />
          <output>{number(now(mode))}</output>
        </label>
      ))}
      {stage.parameters.length > 0 && (
        <details id="parameters">
          <summary>Parameters ({stage.parameters.length})</summary>
          {stage.parameters.map((p) => (
            <label key={p.name} class="row small" title={p.about}>
              <span class="grow">{p.name}{p.unit ? ` (${p.unit})` : ""}</span>
              <input
                type="number"
                step="any"
                min={Number.isFinite(p.min) ? p.min : undefined}
                max={Number.isFinite(p.max) ? p.max : undefined}
                value={String(Number(p.value.toPrecision(6)))}
                onChange={(e) => e.currentTarget.value !== "" && void lab.ask({ do: "set", parameter: p.name, value: Number(e.currentTarget.value) })}
              />
            </label>
          ))}
        </details>
      )}
    </section>
  );
}
