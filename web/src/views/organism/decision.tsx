// Why it did what it did now: the parts of every actuator's target.
import type { OrganismFrame, RobotFrame, RobotStage } from "../../protocol";
import { number, words } from "../../ui/text";

const PARTS = ["reflex", "explore", "bias"] as const;
const NAMES = { reflex: "reflex", explore: "exploration", bias: "recalled bias" } as const;

interface Props {
  stage: RobotStage;
  frame: OrganismFrame | null;
  robot: RobotFrame | null;
}

export function Decision({ stage, frame, robot }: Props) {
  const rest = frame?.decision[0] ? (1 - frame.decision[0].keep) * 100 : null;
  return (
    <section class="panel">
      <h2>What moves it now</h2>
      <p class="row small">
        {PARTS.map((part, i) => (
          <span key={part}><svg class="key" aria-hidden="true"><rect class={`part-${i}`} width="10" height="10" /></svg> {NAMES[part]}</span>
        ))}
        <span class="quiet">rest takes {number(rest, 0)} %</span>
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Parts of what is wanted of each actuator">
      <table id="decision">
        <thead>
          <tr>
            <th>actuator</th><th>parts, around 0</th><th class="n">reflex</th><th class="n">explore</th>
            <th class="n">bias</th><th class="n">wanted</th><th class="n">is</th>
          </tr>
        </thead>
        <tbody>
          {stage.actuators.map((actuator, i) => {
            const parts = frame?.decision[i];
            const isManual = ((robot?.manual ?? 0) >> i) & 1;
            const isTripped = ((robot?.tripped ?? 0) >> i) & 1;
            return (
              <tr key={actuator.name}>
                <th scope="row">
                  {words(actuator.name)}
                  {isManual ? <span class="tag">by hand</span> : null}
                  {isTripped ? <span class="tag bad">safety rest</span> : null}
                </th>
                <td class="gauge-cell">{parts && <Parts values={PARTS.map((p) => parts[p])} />}</td>
                <td class="n">{number(parts?.reflex)}</td>
                <td class="n">{number(parts?.explore)}</td>
                <td class="n">{number(parts?.bias)}</td>
                <td class="n">{number(parts?.target)}</td>
                <td class="n">{number(robot?.actuators[i])}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      </div>
      <p class="small">
        {frame?.recall
          ? `Recalled with confidence ${number(frame.recall.confidence)}: ${signs(frame.recall.action, stage.actuators.map((a) => a.name)) || "do nothing"}.`
          : "Nothing is recalled now."}{" "}
        Place memory nudges by {number(frame?.nudge)} (above 0: move on; below: stay).
      </p>
    </section>
  );
}

/** Bars to the right for positive parts and to the left for negative ones, one behind the other. */
function Parts({ values }: { values: number[] }) {
  let [left, right] = [50, 50];
  const bars = values.map((value, i) => {
    const width = Math.min(Math.abs(value), 2) * 25;
    const x = value < 0 ? (left -= width) : right;
    if (value >= 0) right += width;
    return <rect key={i} class={`part-${i}`} x={`${x}%`} y="3" width={`${width}%`} height="10" />;
  });
  return (
    <svg class="gauge" aria-hidden="true">
      <rect class="track" x="0" y="7" width="100%" height="2" />
      {bars}
      <rect class="mark" x="50%" y="0" width="1" height="16" />
    </svg>
  );
}

/** `+left −right` from −1, 0, 1 per channel. */
export function signs(values: number[], names: string[]): string {
  return values
    .map((v, i) => (v === 0 ? "" : `${v > 0 ? "+" : "−"}${words(names[i] ?? String(i))}`))
    .filter(Boolean)
    .join(" ");
}
