// Needs with their bands, and what the senses stir up.
import type { OrganismFrame, RobotFrame, RobotStage } from "../../protocol";
import { number, words } from "../../ui/text";

interface Props {
  stage: RobotStage;
  frame: OrganismFrame | null;
  robot: RobotFrame | null;
}

export function Needs({ stage, frame, robot }: Props) {
  const needs = stage.mind.organism?.needs ?? [];
  return (
    <section class="panel">
      <h2>Needs</h2>
      <p class="quiet small">The shaded band is where a need is content; its drive is how far it is outside.</p>
      <table id="needs">
        <thead>
          <tr><th>need</th><th>level, 0 to 1</th><th class="n">level</th><th class="n">drive</th></tr>
        </thead>
        <tbody>
          {needs.map((need, i) => {
            const now = frame?.needs[i];
            return (
              <tr key={need.name}>
                <th scope="row">{words(need.name)}</th>
                <td class="gauge-cell"><Gauge low={need.low} high={need.high} value={now?.value ?? null} /></td>
                <td class="n">{number(now?.value)}</td>
                <td class={`n ${now && now.drive > 0.3 ? "bad" : ""}`}>{number(now?.drive)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <dl class="facts">
        <Fact name="charge" value={robot && `${number(robot.charge * 100, 0)} %`} />
        <Fact name="distance" value={number(frame?.distance, 3)} title="squared homeostatic distance: sum of squared drives" />
        <Fact name="reward" value={number(frame?.reward, 4)} title="fall of the distance in the last tick" />
        <Fact name="fuzz" value={number(frame?.fuzz)} title="how blurred its senses are: tired senses blur" />
        <Fact name="surprise" value={number(frame?.surprise)} />
        <Fact name="salience" value={number(frame?.activity)} title="activity of the senses after habituation" />
        <Fact name="startle" value={number(frame?.startle)} title="salience above its running average" />
        <Fact name="age" value={frame ? `${frame.age_ticks} ticks` : null} />
      </dl>
    </section>
  );
}

function Fact({ name, value, title }: { name: string; value: string | null; title?: string }) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd>{value ?? "–"}</dd>
    </div>
  );
}

function Gauge({ low, high, value }: { low: number; high: number; value: number | null }) {
  const x = (v: number) => `${Math.min(Math.max(v, 0), 1) * 100}%`;
  return (
    <svg class="gauge" role="img" aria-label={`${number(value)}, band ${number(low)} to ${number(high)}`}>
      <rect class="track" x="0" y="4" width="100%" height="8" rx="4" />
      <rect class="band" x={x(low)} y="4" width={x(high - low)} height="8" />
      {value !== null && <rect class="mark" x={x(value)} y="0" width="3" height="16" transform="translate(-1.5 0)" />}
    </svg>
  );
}
