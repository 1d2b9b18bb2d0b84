// What happened: captures, conflicts, hazards, releases for safety.
import { lab } from "../../lab";
import type { OctopusFrame } from "../../protocol";
import { clock, number } from "../../ui/text";

export function Log({ frame }: { frame: OctopusFrame | null }) {
  return (
    <section class="panel">
      <h2>Captures and conflicts</h2>
      <dl class="facts">
        <div><dt>clock</dt><dd>{clock(lab.frame.value?.time_s ?? 0)}</dd></div>
        <div><dt>captures</dt><dd id="captures">{frame?.captures ?? 0}</dd></div>
        <div><dt>safety releases</dt><dd>{frame?.safety_releases ?? 0}</dd></div>
        <div><dt>hazards</dt><dd>{frame?.hazards.length ?? 0}</dd></div>
      </dl>
      <div class="columns small">
        <div>
          <h3>Capture log</h3>
          <ol aria-live="polite" id="capture-log">
            {frame?.capture_log.slice(0, 12).map((c, i) => <li key={i}>{clock(c.at_s)}: arm {c.arm} took object {c.object}</li>)}
          </ol>
          {!frame?.capture_log.length && <p class="quiet">None yet.</p>}
        </div>
        <div>
          <h3>Conflicts now</h3>
          <ul>{frame?.conflicts.map((text, i) => <li key={i}>{text}</li>)}</ul>
          {!frame?.conflicts.length && <p class="quiet">None.</p>}
          {frame?.hazards.map((h) => <p key={h.id}>Hazard {h.id}: severity {number(h.severity)}</p>)}
        </div>
      </div>
    </section>
  );
}
