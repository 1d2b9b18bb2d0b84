// The robot lab: write a controller, run it, look into it, grade it.
import { useEffect, useMemo } from "preact/hooks";
import { lab } from "../lab";
import { route } from "../route";
import { Editor, type Mark } from "../ui/editor";
import { FaultBox } from "../ui/fault";
import { loadTexts } from "../ui/files";
import { unpack } from "../ui/share";
import { Console } from "./robot-lab/console";
import { Controls } from "./robot-lab/controls";
import { Grade } from "./robot-lab/grade";
import { Keeping } from "./robot-lab/history";
import { EventMachine, ScriptMachine } from "./robot-lab/machine";
import { Memory } from "./robot-lab/memory";
import {
  edit, isOnTable, loadTask, openTask, readFault, replace, run, runFault, task, taskId, text, watch,
} from "./robot-lab/program";
import { Questions } from "./robot-lab/questions";
import { lessonScenario } from "./robot-lab/scenarios";
import { Signals } from "./robot-lab/signals";
import { TASKS } from "./robot-lab/tasks";
import { lastTask, markRunning, wasCutOff } from "./robot-lab/versions";
import { Plane } from "./world/plane";
import "./world/world.css";
import "./robot-lab/robot-lab.css";

const BY_HAND = "by-hand";
const BY_HAND_NAME = "machine by hand";

export default function RobotLab() {
  useEffect(() => {
    lab.follow(0);
    begin();
    return watch();
  }, []);
  const shared = route.value.values.get("program");
  useEffect(() => {
    if (shared) takeShared(shared, route.peek().values.get("task"));
  }, [shared]);
  const stage = lab.stage.value;
  const machine = stage?.robots?.robots[0]?.mind.machine;
  const isByHand = machine !== undefined && machine !== null;
  return (
    <div class="stack">
      <TaskChoice isByHand={isByHand} />
      {isByHand ? <ByHand /> : <Programming />}
    </div>
  );
}

function Programming() {
  const fault = readFault.value ?? runFault.value;
  const marks = useMemo<Mark[]>(() => (fault?.places ?? []).map((place) => ({ ...place, severity: "error" })), [fault]);
  return (
    <div class="bench">
      <div class="stack">
        <section class="panel" aria-label="Task">
          <h2>{task.value.title}</h2>
          {task.value.text.map((paragraph) => <p key={paragraph} class="about">{paragraph}</p>)}
        </section>
        <Controls />
        {fault && <FaultBox title={readFault.value ? "The program cannot be read" : "The program gave up"} fault={fault} />}
        <Editor id="program" label="Program" language="javascript" value={text.value} marks={marks} onChange={edit} onRun={() => void run()} />
      </div>
      <div class="stack beside">
        {isOnTable.value ? <Plane isEditable /> : <TakeTable />}
        <Grade />
        <ScriptMachine design={task.value.design} />
        <Memory />
        <Console title="Console" empty="What the program prints with console.log appears here." />
        <Signals robot={0} />
      </div>
      <div class="stack">
        <Keeping />
        <Questions names={task.value.questions} />
      </div>
    </div>
  );
}

function ByHand() {
  const machine = lab.stage.value?.robots?.robots[0]?.mind.machine;
  if (!machine) return null;
  return (
    <div class="bench">
      <div class="stack">
        <EventMachine machine={machine} robot={0} />
        <Console title="Event log" empty="No events yet. Press begin, then Play." />
      </div>
      <div class="stack beside">
        <Plane isEditable />
        <Signals robot={0} />
        <section class="panel" aria-label="Machine file">
          <details>
            <summary>The machine's file</summary>
            <pre class="scroll">{machine.text}</pre>
          </details>
        </section>
      </div>
      <div class="stack">
        <Questions names={["hysteresis", "timeout", "lost"]} />
      </div>
    </div>
  );
}

function TaskChoice({ isByHand }: { isByHand: boolean }) {
  return (
    <label class="row">
      <strong>Task</strong>
      <select
        id="task"
        value={isByHand ? BY_HAND : taskId.value}
        onChange={(event) => {
          const id = event.currentTarget.value;
          if (id === BY_HAND) void loadTexts(lessonScenario(BY_HAND) ?? []);
          else {
            openTask(id);
            void loadTask();
          }
        }}
      >
        <optgroup label="Write a program">
          {TASKS.map((t) => <option key={t.id} value={t.id}>{t.title}</option>)}
        </optgroup>
        <optgroup label="Without a program">
          <option value={BY_HAND}>Drive a state machine by hand</option>
        </optgroup>
      </select>
    </label>
  );
}

function TakeTable() {
  return (
    <section class="panel" aria-label="World">
      <p>On the table is “{lab.stage.value?.name ?? "nothing"}”, not the world of this task.</p>
      <button type="button" id="load-task" class="primary" onClick={() => void loadTask()}>Load the task's world</button>
    </section>
  );
}

/** Opens the last task with its text; nothing runs until someone says so. */
function begin(): void {
  if (!text.peek()) openTask(route.peek().values.get("task") ?? lastTask() ?? "track");
  if (wasCutOff()) {
    markRunning(false);
    lab.notify("info", "Last time this page ended while your program ran. Your text is here; it has not been started.");
  }
  const name = lab.stage.peek()?.name;
  // What somebody built or opened stays on the table; the first thing that every page loads need not.
  const isFirst = name === undefined || name === "one-life" || name === "one life";
  if (name !== BY_HAND_NAME && (isFirst || name.startsWith("task "))) if (!isOnTable.peek()) void loadTask();
}

function takeShared(packed: string, id: string | null): void {
  try {
    const value = unpack(packed) as { text?: unknown };
    if (typeof value?.text !== "string") throw new Error("this link holds no program");
    if (id && id !== taskId.peek()) openTask(id);
    if (value.text !== text.peek()) replace(value.text, "from a link");
    if (!isOnTable.peek()) void loadTask();
  } catch (error) {
    lab.notify("error", error instanceof Error ? error.message : String(error));
  }
}
