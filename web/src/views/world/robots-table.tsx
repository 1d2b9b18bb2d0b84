// Every robot in a line: where it is and what it does.
import { lab } from "../../lab";
import { useFrame } from "../../ui/throttled";
import { number, words } from "../../ui/text";
import { STATE_WORDS, choose, stateOf } from "./state";

export function RobotsTable() {
  const world = lab.stage.value?.robots;
  const now = useFrame(200)?.robots;
  const watched = lab.watched.value;
  if (!world || !now) return null;
  return (
    <section class="panel" aria-label="Robots">
      <h2>{now.robots.length === 1 ? "Robot" : `${now.robots.length} robots`}</h2>
      <div class="scroll tall">
        <table id="robots">
          <thead>
            <tr>
              <th scope="col">name</th><th scope="col">state</th><th scope="col">behaviour</th><th scope="col">module</th>
              <th scope="col" class="n">charge %</th><th scope="col" class="n">x m</th><th scope="col" class="n">y m</th>
              <th scope="col" class="n">heading °</th><th scope="col" class="n">speed cm/s</th>
            </tr>
          </thead>
          <tbody>
            {now.robots.map((robot, i) => {
              const state = stateOf(robot);
              return (
                <tr key={i} class={i === watched ? "watched" : ""}>
                  <th scope="row">
                    <button type="button" class="plain" aria-pressed={i === watched} onClick={() => choose({ kind: "robot", index: i })}>
                      {world.robots[i]?.name ?? i}
                    </button>
                  </th>
                  <td><span class={`dot ${state}`} /> {STATE_WORDS[state]}</td>
                  <td>{words(robot.behaviour)}</td>
                  <td>{words(world.robots[i]?.modules[robot.module] ?? "–")}</td>
                  <td class="n">{number(robot.charge * 100, 1)}</td>
                  <td class="n">{number(robot.at[0])}</td>
                  <td class="n">{number(robot.at[1])}</td>
                  <td class="n">{number((robot.heading_rad * 180) / Math.PI, 0)}</td>
                  <td class="n">{number(robot.speed_m_s * 100, 1)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
