// Programs are kept in this browser: the latest text of every task, and earlier versions of it.
import { signal } from "@preact/signals";

export interface Version {
  /** When, ms since 1970. */
  at: number;
  /** What it was kept for. */
  why: string;
  text: string;
}

const VERSIONS_MAX = 40;
const CHARACTERS_MAX = 400_000;
const RUNNING = "tropism.lab.running";

/** Versions of the open task, latest first. */
export const versions = signal<Version[]>([]);
/** Why nothing can be kept, if so. */
export const keepFault = signal("");

const key = (task: string, what: string) => `tropism.lab.${task}.${what}`;

function write(name: string, value: string): boolean {
  try {
    localStorage.setItem(name, value);
    keepFault.value = "";
    return true;
  } catch {
    keepFault.value = "This browser keeps nothing for this page (it is full, or does not allow it): export your program to a file.";
    return false;
  }
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** The text last kept for a task. */
export function keptText(task: string): string | null {
  return read(key(task, "text"));
}

export function keepText(task: string, text: string): void {
  write(key(task, "text"), text);
}

export function openVersions(task: string): void {
  try {
    const list: unknown = JSON.parse(read(key(task, "versions")) ?? "[]");
    versions.value = Array.isArray(list) ? list.filter(isVersion) : [];
  } catch {
    versions.value = [];
  }
}

/** Why a text is kept that was saved by itself. */
export const WHILE_EDITING = "while editing";

/** Keeps a version unless it is the latest already; the oldest make room. */
export function keepVersion(task: string, text: string, why: string): void {
  if (!text.trim()) return;
  // The same text once more is the same version, with the latest word on why it is kept; that it
  // was saved in between says less than any other.
  const isSame = versions.value[0]?.text === text;
  if (isSame && why === WHILE_EDITING) return;
  const earlier = isSame ? versions.value.slice(1) : versions.value;
  let list = [{ at: Date.now(), why, text }, ...earlier].slice(0, VERSIONS_MAX);
  let size = 0;
  list = list.filter((version, i) => (size += version.text.length) <= CHARACTERS_MAX || i === 0);
  while (!write(key(task, "versions"), JSON.stringify(list)) && list.length > 1) list.pop();
  versions.value = list;
}

function isVersion(value: unknown): value is Version {
  const version = value as Partial<Version> | null;
  return typeof version?.at === "number" && typeof version.text === "string" && typeof version.why === "string";
}

/** Remembers that a program runs; what is still there at the next visit was cut off. */
export function markRunning(isRunning: boolean): void {
  if (isRunning) write(RUNNING, "yes");
  else {
    try {
      localStorage.removeItem(RUNNING);
    } catch {
      // Nothing is kept in this browser, so nothing is there to be taken away.
    }
  }
}

export function wasCutOff(): boolean {
  return read(RUNNING) !== null;
}

export function lastTask(): string | null {
  return read("tropism.lab.task");
}

export function keepTask(task: string): void {
  write("tropism.lab.task", task);
}
