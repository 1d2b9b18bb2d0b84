// Switches and parameters of a mind; both act at once.
import { lab } from "../../lab";
import type { RobotStage, Switch, SwitchStage } from "../../protocol";
import { number, words } from "../../ui/text";

export function Switches({ robot }: { robot: RobotStage }) {
  const { switches, parameters } = robot.mind;
  if (switches.length + parameters.length === 0) return null;
  const turn = (name: string, value: Switch) =>
    void lab.ask({ do: "switch", robot: lab.watched.value, name, value });
  return (
    <section class="panel">
      <h2>Ablations</h2>
      <p class="quiet small">They act from the next tick on; what was learned stays.</p>
      <div id="switches" class="stack small">
        {switches.map((s) => <One key={s.name} of={s} turn={(value) => turn(s.name, value)} />)}
      </div>
      {parameters.length > 0 && (
        <details>
          <summary>Parameters ({parameters.length})</summary>
          {parameters.map((p) => (
            <label key={p.name} class="row small" title={p.about}>
              <span class="grow">{words(p.name)}{p.unit ? ` (${p.unit})` : ""}</span>
              <input
                type="number"
                value={String(Number(p.value.toPrecision(6)))}
                min={p.min}
                max={p.max}
                step="any"
                aria-description={`${p.about}; ${number(p.min, 3)} to ${number(p.max, 3)}`}
                onChange={(e) =>
                  void lab.ask({ do: "set", robot: lab.watched.value, parameter: p.name, value: Number(e.currentTarget.value) })}
              />
            </label>
          ))}
        </details>
      )}
    </section>
  );
}

function One({ of: s, turn }: { of: SwitchStage; turn(value: Switch): void }) {
  const { value, choices } = s;
  if (typeof value === "boolean") {
    return (
      <label class="row" title={s.about}>
        <input type="checkbox" id={`switch-${s.name}`} checked={value} onChange={(e) => turn(e.currentTarget.checked)} />
        {words(s.name)}
      </label>
    );
  }
  if (typeof value === "number") {
    return (
      <label class="row" title={s.about}>
        <span class="grow">{words(s.name)}</span>
        <input type="number" value={String(value)} step="any" onChange={(e) => turn(Number(e.currentTarget.value))} />
      </label>
    );
  }
  if (Array.isArray(value)) {
    return (
      <fieldset title={s.about}>
        <legend>{words(s.name)}</legend>
        <div class="row">
          {choices.map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={value.includes(name)}
                onChange={(e) => turn(e.currentTarget.checked ? [...value, name] : value.filter((v) => v !== name))}
              />{" "}
              {words(name)}
            </label>
          ))}
        </div>
      </fieldset>
    );
  }
  return (
    <label class="row" title={s.about}>
      <span class="grow">{words(s.name)}</span>
      <select id={`switch-${s.name}`} value={value} onChange={(e) => turn(e.currentTarget.value)}>
        {choices.map((c) => <option key={c} value={c}>{words(c)}</option>)}
      </select>
    </label>
  );
}
