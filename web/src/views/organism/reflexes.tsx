// Learned reflexes: as a matrix of weights, and as lines on the body.
import { useState } from "preact/hooks";
import type { ReflexFrame, RobotStage } from "../../protocol";
import { number, words } from "../../ui/text";

const NOW = -1;

export function Reflexes({ stage, frame }: { stage: RobotStage; frame: ReflexFrame | null }) {
  const [chosen, choose] = useState(NOW);
  const contexts = stage.mind.organism?.contexts ?? [];
  const weights = frame ? (chosen === NOW ? gated(frame) : frame.weights[chosen] ?? []) : [];
  const most = Math.max(1e-6, ...weights.flat().map(Math.abs));
  const inputs = [...stage.sensors.map((s) => s.name), "constant"];
  return (
    <section class="panel">
      <h2>Reflexes</h2>
      <label class="row small">
        Context{" "}
        <select id="context" value={String(chosen)} onChange={(e) => choose(Number(e.currentTarget.value))}>
          <option value={String(NOW)}>as gated now</option>
          {contexts.map((name, i) => (
            <option key={name} value={String(i)}>{words(name)}{frame ? ` (gate ${number(frame.gates[i])})` : ""}</option>
          ))}
        </select>
        <span class="quiet">largest weight {number(most, 3)}</span>
      </label>
      {frame ? (
        <>
          <Wiring stage={stage} weights={weights} most={most} />
          <div class="scroll" tabIndex={0} role="region" aria-label="Reflex weights">
            <table id="reflexes" class="matrix">
              <thead>
                <tr><th>from \ to</th>{stage.actuators.map((a) => <th key={a.name} class="n">{words(a.name)}</th>)}<th class="n">input</th></tr>
              </thead>
              <tbody>
                {inputs.map((input, i) => (
                  <tr key={input}>
                    <th scope="row">{words(input)}</th>
                    {stage.actuators.map((a, o) => {
                      const weight = weights[o]?.[i] ?? 0;
                      const shade = Math.min(10, Math.round((Math.abs(weight) / most) * 10));
                      return <td key={a.name} class={`n ${weight < 0 ? "minus" : "plus"}-${shade}`}>{number(weight)}</td>;
                    })}
                    <td class="n quiet">{number(frame.inputs[i])}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      ) : (
        <p class="quiet">Not learned yet.</p>
      )}
    </section>
  );
}

/** Weights of all contexts, each times its gate: what acts now. */
function gated(frame: ReflexFrame): number[][] {
  const [first] = frame.weights;
  return (first ?? []).map((row, o) =>
    row.map((_, i) => frame.weights.reduce((sum, context, c) => sum + (frame.gates[c] ?? 0) * (context[o]?.[i] ?? 0), 0)),
  );
}

/** The body from above, ahead is up: sensors on the rim, actuators inside, a line per strong weight. */
function Wiring({ stage, weights, most }: { stage: RobotStage; weights: number[][]; most: number }) {
  const bearings = stage.mind.organism?.bearings_rad ?? [];
  const sensors = stage.sensors.map((s, i) => {
    const angle = bearings[i] ?? fallback(s.name, i, stage.sensors.length);
    return [100 - 84 * Math.sin(angle), 100 - 84 * Math.cos(angle)] as const;
  });
  const actuators = stage.actuators.map((a, i) => {
    const side = a.name.includes("left") ? -1 : a.name.includes("right") ? 1 : 0;
    const row = stage.actuators.slice(0, i).filter((b) => !/left|right/.test(b.name)).length;
    return side ? ([100 + side * 38, 108] as const) : ([100, 66 + row * 26] as const);
  });
  const lines = weights.flatMap((row, o) =>
    row.flatMap((weight, i) => {
      const [from, to] = [sensors[i], actuators[o]];
      if (!from || !to || Math.abs(weight) < most * 0.15) return [];
      return [<line key={`${o} ${i}`} class={weight < 0 ? "minus" : "plus"} x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} stroke-width={0.6 + 3.4 * (Math.abs(weight) / most)} />];
    }),
  );
  const text = weights
    .flatMap((row, o) => row.map((w, i) => ({ w, text: `${stage.sensors[i]?.name ?? "constant"} to ${stage.actuators[o]?.name}: ${number(w)}` })))
    .sort((a, b) => Math.abs(b.w) - Math.abs(a.w))
    .slice(0, 5)
    .map((l) => words(l.text))
    .join("; ");
  return (
    <svg class="wiring" viewBox="-15 0 230 200" role="img" aria-label={`Strongest connections on the body: ${text}`}>
      <circle class="body" cx="100" cy="100" r="84" />
      <path class="nose" d="M100 6 l7 10 h-14 z" />
      {lines}
      {sensors.map(([x, y], i) => <Node key={i} x={x} y={y} name={stage.sensors[i]?.name ?? ""} kind="sensor" />)}
      {actuators.map(([x, y], i) => <Node key={i} x={x} y={y} name={stage.actuators[i]?.name ?? ""} kind="actuator" />)}
    </svg>
  );
}

function Node({ x, y, name, kind }: { x: number; y: number; name: string; kind: string }) {
  return (
    <g class={kind}>
      <title>{words(name)}</title>
      {kind === "sensor" ? <circle cx={x} cy={y} r="5" /> : <rect x={x - 6} y={y - 6} width="12" height="12" rx="2" />}
      <text x={x} y={y + 14} text-anchor="middle">{words(name).slice(0, 16)}</text>
    </g>
  );
}

/** Sides by name, the rest spread over the back. */
function fallback(name: string, i: number, count: number): number {
  if (name.includes("left")) return 0.7;
  if (name.includes("right")) return -0.7;
  return Math.PI * (0.6 + (0.8 * i) / Math.max(count - 1, 1));
}
