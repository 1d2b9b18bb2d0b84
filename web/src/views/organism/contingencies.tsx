// Contingency memory: what followed from what.
import type { ContingencyFrame, RobotStage } from "../../protocol";
import { number, words } from "../../ui/text";
import { signs } from "./decision";

export function Contingencies({ stage, frame }: { stage: RobotStage; frame: ContingencyFrame | null }) {
  const needs = stage.mind.organism?.needs ?? [];
  const high = (context: number) =>
    needs.filter((_, i) => (context >> i) & 1).map((n) => words(n.name)).join(", ") || "none";
  return (
    <section class="panel">
      <h2>Contingency memory</h2>
      <p class="quiet small">
        {frame ? `${frame.count} of ${frame.capacity} slots; the ${frame.entries.length} strongest.` : "Empty so far."}{" "}
        + means more, − less; relief below 0 means the drives grew.
      </p>
      <div class="scroll tall" tabIndex={0} role="region" aria-label="Contingencies">
        <table id="contingencies">
          <thead>
            <tr><th>did</th><th>then felt</th><th>needs high</th><th class="n">strength</th><th class="n">relief</th><th class="n">age, ticks</th></tr>
          </thead>
          <tbody>
            {frame?.entries.map((entry, i) => (
              <tr key={i}>
                <td>{signs(entry.action, stage.actuators.map((a) => a.name)) || "nothing"}</td>
                <td>{signs(entry.sensors, stage.sensors.map((s) => s.name)) || "no change"}</td>
                <td>{high(entry.context)}</td>
                <td class="n">{number(entry.strength)}</td>
                <td class={`n ${Math.abs(entry.relief) < 5e-5 ? "" : entry.relief < 0 ? "bad" : "good"}`}>{number(entry.relief, 4)}</td>
                <td class="n">{entry.age_ticks}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
