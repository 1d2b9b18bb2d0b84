// All arms in a table: state, priority, reason.
import type { OctopusFrame } from "../../protocol";
import { number } from "../../ui/text";

export function Roster({ frame, arm, choose }: { frame: OctopusFrame | null; arm: number; choose(arm: number): void }) {
  return (
    <section class="panel">
      <h2>Arms</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="States of the arms">
        <table id="roster">
          <thead><tr><th>arm</th><th>state</th><th class="n">priority</th><th>reason</th></tr></thead>
          <tbody>
            {frame?.arms.map((now, i) => (
              <tr key={i} class={i + 1 === arm ? "chosen" : ""}>
                <th scope="row">
                  <button type="button" class="plain" aria-pressed={i + 1 === arm} aria-label={`Choose arm ${i + 1}`} onClick={() => choose(i + 1)}>{i + 1}</button>
                </th>
                <td>{now.state}{now.held ? ` (${now.held})` : ""}</td>
                <td class="n">{number(now.priority)}</td>
                <td class="small">{now.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
