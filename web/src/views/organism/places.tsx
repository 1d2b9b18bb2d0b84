// Spatial memory: 32 places told apart by what the senses say there.
import type { PlaceFrame, RobotStage } from "../../protocol";
import { number, words } from "../../ui/text";

export function Places({ stage, frame }: { stage: RobotStage; frame: PlaceFrame[] | null }) {
  const places = frame ?? [];
  const best = Math.max(1e-9, ...places.map((p) => Math.abs(p.score)));
  const used = places.filter((p) => p.is_occupied).length;
  return (
    <section class="panel">
      <h2>Places</h2>
      <p class="quiet small">
        {used} of {places.length || 32} known. The bar is the score now: drives times what visits there brought. The
        outlined one is where it thinks it is.
      </p>
      <ol id="places" class="places">
        {places.map((place, i) => {
          const levels = stage.sensors.map((s, k) => `${words(s.name)} ${place.levels[k] ?? "–"}`).join(", ");
          const what = place.is_occupied
            ? `place ${i + 1}: score ${number(place.score, 3)}, ${place.visits} visits, ${place.age_ticks} ticks ago; quartiles ${levels}`
            : `slot ${i + 1} is free`;
          const height = (Math.abs(place.score) / best) * 18;
          return (
            <li key={i} class={`${place.is_occupied ? "" : "free"} ${place.is_here ? "here" : ""}`} title={what}>
              <span class="hidden">{what}</span>
              <svg viewBox="0 0 20 40" aria-hidden="true">
                <line x1="0" x2="20" y1="20" y2="20" class="axis" />
                {place.is_occupied && (
                  <rect x="4" width="12" y={place.score >= 0 ? 20 - height : 20} height={Math.max(height, 0.5)} class={place.score >= 0 ? "up" : "down"} />
                )}
              </svg>
              <span aria-hidden="true">{place.is_occupied ? place.visits : ""}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
