// The inside of a homeostatic learner: what it needs, what it remembers, why it acts.
import { useEffect } from "preact/hooks";
import { lab } from "../lab";
import type { Frame, MindFrame, RobotStage } from "../protocol";
import { Plot } from "../ui/plot";
import { RobotChoice } from "../ui/robots";
import { useFrame } from "../ui/throttled";
import { Contingencies } from "./organism/contingencies";
import { Decision } from "./organism/decision";
import { LifeState } from "./organism/life-state";
import { Needs } from "./organism/needs";
import { Places } from "./organism/places";
import { Reflexes } from "./organism/reflexes";
import { Switches } from "./organism/switches";

const VIEW = {};

/** The organism in a frame, if the watched robot has one. */
export function organismOf(frame: Frame | null): Extract<MindFrame, { kind: "organism" }> | null {
  const mind = frame?.robots?.watched?.mind;
  return mind?.kind === "organism" ? mind : null;
}

export default function OrganismView() {
  useEffect(() => {
    lab.want(VIEW, ["organism", "contingency", "places", "reflex"]);
    return () => lab.want(VIEW, null);
  }, []);
  const stage = lab.stage.value;
  const robot = stage?.robots?.robots[lab.watched.value];
  if (!stage || !robot) return <p class="quiet">Load a scenario with a robot: the list is above.</p>;
  if (!robot.mind.organism) {
    return (
      <section class="panel stack">
        <RobotChoice />
        <p>
          {robot.name} has a mind of kind <strong>{robot.mind.kind}</strong>, which has no needs. Choose another robot,
          or load a scenario with an organism, such as <em>one-life</em>.
        </p>
        <Switches robot={robot} />
      </section>
    );
  }
  return <Organism robot={robot} />;
}

function Organism({ robot }: { robot: RobotStage }) {
  const frame = useFrame();
  const mind = organismOf(frame);
  const needs = robot.mind.organism?.needs ?? [];
  const now = frame?.robots?.robots[lab.watched.value];
  const key = `${lab.stage.value?.name} ${lab.watched.value}`;
  return (
    <div class="stack">
      <RobotChoice />
      <p id="why" class="why" aria-live="off">{mind?.state?.why ?? "Press Play, or Step, to see it act."}</p>
      <div class="packed">
        <Needs stage={robot} frame={mind?.state ?? null} robot={now ?? null} />
        <section class="panel">
          <h2>Drives over time</h2>
          <Plot
            label="Drives of all needs over the last minutes"
            names={needs.map((n) => n.name)}
            read={(f) => organismOf(f)?.state?.needs.map((n) => n.drive) ?? []}
            reset={key}
          />
          <h2>Salience, startle, surprise</h2>
          <Plot
            label="Salience, startle and surprise over the last minutes"
            names={["salience", "startle", "surprise"]}
            read={(f) => {
              const state = organismOf(f)?.state;
              return state ? [state.activity, state.startle, state.surprise] : [];
            }}
            reset={key}
          />
        </section>
        <Decision stage={robot} frame={mind?.state ?? null} robot={now ?? null} />
        <Reflexes stage={robot} frame={mind?.reflex ?? null} />
        <Switches robot={robot} />
        <LifeState />
      </div>
      <Contingencies stage={robot} frame={mind?.contingency ?? null} />
      <Places stage={robot} frame={mind?.places ?? null} />
    </div>
  );
}
