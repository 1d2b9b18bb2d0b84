// The program in the editor, and the run of it.
import { batch, computed, effect, signal } from "@preact/signals";
import { reconnect } from "../../connect";
import { lab } from "../../lab";
import { Refusal } from "../../link/link";
import { silent, watched } from "./silence";
import type { Fault, Frame, Stage, TextFile } from "../../protocol";
import { scriptText, taskScenario } from "./scenarios";
import { TASKS, type LabTask } from "./tasks";
import {
  WHILE_EDITING, keepTask, keepText, keepVersion, keptText, markRunning, openVersions,
} from "./versions";

export const FILE = "program.js";
/** Autosave waits for a pause in typing, ms. */
const SAVE_AFTER_MS = 500;
/** A version is kept this often while someone edits, ms. */
const VERSION_EVERY_MS = 120_000;

export const taskId = signal("track");
export const task = computed<LabTask>(() => TASKS.find((t) => t.id === taskId.value) ?? (TASKS[0] as LabTask));
export const text = signal("");
/** What the robot was given. */
export const given = signal<string | null>(null);
/** What is wrong with the text: it could not be read. */
export const readFault = signal<Fault | null>(null);
export const breakpoints = signal<number[]>([]);
/** Where the run was stopped by a breakpoint. */
export const stoppedAt = signal<number | null>(null);

const robot = 0;

/** The table shows the world of the open task. */
export const isOnTable = computed(() => lab.stage.value?.name === `task ${taskId.value}`);

/** Why the running script gave up. */
export const runFault = computed<Fault | null>(() => {
  const mind = lab.frame.value?.robots?.watched?.mind;
  return mind?.kind === "script" ? (mind.script.failure ?? null) : null;
});

let saveTimer: ReturnType<typeof setTimeout> | undefined;
let versionAt = 0;

/** The user changed the text. */
export function edit(next: string): void {
  text.value = next;
  clearTimeout(saveTimer);
  saveTimer = setTimeout(save, SAVE_AFTER_MS);
}

export function save(): void {
  clearTimeout(saveTimer);
  keepText(taskId.value, text.value);
  if (Date.now() - versionAt > VERSION_EVERY_MS) {
    versionAt = Date.now();
    keepVersion(taskId.value, text.value, WHILE_EDITING);
  }
}

/** Puts another text into the editor; the one before stays among the versions. */
export function replace(next: string, why: string): void {
  keepVersion(taskId.value, text.value, `before: ${why}`);
  text.value = next;
  keepVersion(taskId.value, next, why);
  readFault.value = null;
  save();
}

/** Opens a task with the text kept for it, or its example. Nothing runs. */
export function openTask(id: string): void {
  if (text.value) save();
  batch(() => {
    taskId.value = TASKS.some((t) => t.id === id) ? id : "track";
    openVersions(taskId.value);
    text.value = keptText(taskId.value) ?? scriptText(task.value.example);
    [given.value, readFault.value, stoppedAt.value] = [null, null, null];
  });
  keepTask(taskId.value);
}

/** Puts the task's world on the table, standing still, with a program for its robot or none. */
export async function loadTask(program: TextFile | null = null): Promise<boolean> {
  const { id, world, title } = task.value;
  const [file, ...files] = taskScenario(id, world, title, program);
  if (!program) given.value = null;
  return file !== undefined && (await lab.ask({ do: "load", source: { from: "text", file, files } })) !== null;
}

/** Gives the robot the program, at tick 0 with empty memory. */
export async function prepare(): Promise<boolean> {
  save();
  keepVersion(taskId.value, text.value, "run");
  if (!isOnTable.value && !(await loadTask())) return false;
  if (lab.isPlaying.value) await lab.ask({ do: "pause" });
  const file = { name: FILE, text: text.value };
  try {
    // A program that cannot be read is refused here, and the one before stays.
    await watched(lab.tell({ do: "script", robot, file }));
  } catch (error) {
    readFault.value = error instanceof Refusal ? error.fault : { what: String(error), places: [] };
    return false;
  }
  // As part of what is loaded the program survives every reset.
  if (!(await watched(loadTask(file)))) return false;
  batch(() => {
    [given.value, readFault.value, stoppedAt.value] = [file.text, null, null];
  });
  return true;
}

/** Runs from the start with what the editor holds. */
export async function run(): Promise<void> {
  if (await prepare()) await resume();
}

export async function resume(): Promise<void> {
  stoppedAt.value = null;
  markRunning(true);
  await lab.ask({ do: "play" });
}

export async function pause(): Promise<void> {
  markRunning(false);
  await lab.ask({ do: "pause" });
}

/** Advances by ticks, first giving the robot a program it does not have yet. */
export async function step(ticks: number): Promise<void> {
  if (given.value !== text.value && !(await prepare())) return;
  if (lab.isPlaying.value) await pause();
  stoppedAt.value = null;
  await watched(lab.ask({ do: "step", ticks }));
}

export function toggleBreakpoint(tick: number): void {
  const list = breakpoints.value;
  breakpoints.value = list.includes(tick) ? list.filter((t) => t !== tick) : [...list, tick].sort((a, b) => a - b);
}

/** Goes to the next breakpoint as fast as the machine can. */
export async function runToBreakpoint(): Promise<void> {
  if (given.value !== text.value && !(await prepare())) return;
  if (lab.isPlaying.value) await pause();
  const tick = lab.frame.peek()?.tick ?? 0;
  const next = breakpoints.value.find((t) => t > tick);
  if (next !== undefined && (await goTo(next))) stoppedAt.value = next;
}

/** Ticks between two frames on the way: trails and plots get a sample from each. */
const STEP_MAX = 50;

async function goTo(goal: number): Promise<boolean> {
  for (;;) {
    const tick = lab.frame.peek()?.tick ?? 0;
    if (tick >= goal) break;
    const ticks = Math.min(goal - tick, STEP_MAX);
    if ((await watched(lab.ask({ do: "step", ticks }))) === null) return false;
    await drawn();
    if ((lab.frame.peek()?.tick ?? 0) <= tick) return false;
  }
  return true;
}

/** Waits until the frame after a step is taken in. */
function drawn(): Promise<void> {
  return new Promise((done) => setTimeout(done, 40));
}

let isStopping = false;

/** While it plays: stops before a breakpoint and goes the rest of the way in whole ticks. */
function watchBreakpoints(frame: Frame, stage: Stage): void {
  if (!frame.is_playing || isStopping || breakpoints.value.length === 0) return;
  const [numerator = 1, denominator = 20] = stage.step;
  // Where the run may be by the time a pause arrives.
  const margin = Math.ceil(((frame.speed * denominator) / numerator) * 0.15) + 2;
  const next = breakpoints.value.find((t) => t > frame.tick);
  if (next === undefined || next - frame.tick > margin) return;
  isStopping = true;
  void stopAt(next).finally(() => {
    isStopping = false;
  });
}

async function stopAt(goal: number): Promise<void> {
  await pause();
  await drawn();
  if ((lab.frame.peek()?.tick ?? 0) > goal) await lab.ask({ do: "seek", tick: goal });
  else if (!(await goTo(goal))) return;
  stoppedAt.value = goal;
}

/** Gives up a session that no longer answers; the text stays, and nothing runs. */
export async function startAnew(): Promise<void> {
  save();
  markRunning(false);
  reconnect();
  await loadTask();
}

/** Watches the run while the view is shown. */
export function watch(): () => void {
  lab.taps.add(watchBreakpoints);
  const stopFailure = effect(() => {
    // A script that gave up has its motors off; there is nothing more to see.
    if (runFault.value && lab.isPlaying.value && isOnTable.value) void pause();
  });
  // A page that is closed in good order was not cut off.
  const leave = () => {
    markRunning(false);
    save();
  };
  addEventListener("pagehide", leave);
  const stopSilence = silent.listen();
  return () => {
    stopSilence();
    lab.taps.delete(watchBreakpoints);
    stopFailure();
    removeEventListener("pagehide", leave);
    leave();
  };
}
