// Recordings, comparisons and experiments.
import { Compare } from "./runs/compare";
import { Experiments } from "./runs/experiments";
import { Recordings } from "./runs/recordings";

export default function RunsView() {
  return (
    <div class="stack">
      <Recordings />
      <Compare />
      <Experiments />
    </div>
  );
}
