// Run, pause, step, breakpoints.
import { useState } from "preact/hooks";
import { lab } from "../../lab";
import { useFrame } from "../../ui/throttled";
import {
  breakpoints, given, isOnTable, pause, readFault, resume, run, runFault, runToBreakpoint, startAnew, step, stoppedAt, text,
  toggleBreakpoint,
} from "./program";
import { silent } from "./silence";

export function Controls() {
  const isOlder = given.value !== null && given.value !== text.value && !readFault.value;
  return (
    <div class="stack tools">
      <div class="row" role="toolbar" aria-label="Program">
        <button type="button" id="run" class="primary" title="Ctrl-Enter in the editor: from the start, with empty memory" onClick={() => void run()}>
          {given.value === null ? "Run" : "Run again"}
        </button>
        <button
          type="button"
          id="pause-program"
          disabled={given.value === null || !isOnTable.value}
          onClick={() => void (lab.isPlaying.value ? pause() : resume())}
        >
          {lab.isPlaying.value ? "Pause" : "Go on"}
        </button>
        <button type="button" id="step-program" title="One call of control()" onClick={() => void step(1)}>Step</button>
        <button type="button" title="Ten calls of control()" onClick={() => void step(10)}>10 steps</button>
        <span class="gap" />
        <Breakpoints />
      </div>
      <p class="status" id="program-status" role="status">
        <Status />
        {isOlder && <span class="quiet"> The robot runs an earlier text; Run again takes this one.</span>}
      </p>
    </div>
  );
}

function Status() {
  const frame = useFrame(200);
  const tick = frame?.tick ?? 0;
  if (silent.is.value) {
    return (
      <>
        <strong class="bad">The session does not answer.</strong>{" "}
        <button type="button" id="start-anew" onClick={() => void startAnew()}>Stop it and start anew; the text stays</button>
      </>
    );
  }
  if (readFault.value) return <strong class="bad">The program cannot be read; the robot stands still.</strong>;
  if (given.value === null) return <>Nothing runs yet.</>;
  if (!isOnTable.value) return <>Another world is on the table; Run brings the task back.</>;
  if (runFault.value) return <strong class="bad">The program gave up; the motors are off. Its text is untouched.</strong>;
  if (stoppedAt.value !== null && !lab.isPlaying.value) return <>Stopped at the breakpoint, tick {stoppedAt.value}.</>;
  return lab.isPlaying.value ? <>It runs.</> : <>It stands at tick {tick}.</>;
}

function Breakpoints() {
  const [tick, setTick] = useState("");
  const add = () => {
    const wanted = Number(tick);
    if (!Number.isInteger(wanted) || wanted < 1 || breakpoints.value.includes(wanted)) return;
    toggleBreakpoint(wanted);
    setTick("");
  };
  return (
    <form
      class="row"
      aria-label="Breakpoints"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <label>
        Stop at tick{" "}
        <input
          id="breakpoint"
          type="number"
          class="number"
          min={1}
          step={1}
          value={tick}
          onInput={(event) => setTick(event.currentTarget.value)}
        />
      </label>
      <button type="submit" id="add-breakpoint">Add</button>
      {breakpoints.value.map((at) => (
        <button key={at} type="button" class="small" title="Take this breakpoint away" aria-label={`Take breakpoint ${at} away`} onClick={() => toggleBreakpoint(at)}>
          {at} ×
        </button>
      ))}
      {breakpoints.value.length > 0 && (
        <button type="button" id="run-to" title="To the next breakpoint without waiting for the clock" onClick={() => void runToBreakpoint()}>
          Run to it
        </button>
      )}
    </form>
  );
}
