import { STATE_WORDS, type RobotState } from "./state";

/** What colours and lines of the drawing mean. */
export function Legend() {
  return (
    <ul class="legend quiet" aria-label="What the colours mean">
      {(Object.keys(STATE_WORDS) as RobotState[]).map((state) => (
        <li key={state}><span class={`dot ${state}`} /> {STATE_WORDS[state]}</li>
      ))}
      <li><span class="line ray" /> ray, dot where it hits</li>
      <li><span class="line ghost" /> where odometry believes it is</li>
      <li><span class="line radio" /> radio of the station as the robot hears it</li>
    </ul>
  );
}
