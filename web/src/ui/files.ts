// Files the user hands over, and what is wrong with them.
import { signal } from "@preact/signals";
import { lab } from "../lab";
import { Refusal } from "../link/link";
import type { Command, Fault, TextFile } from "../protocol";

/** Largest file read, bytes. */
const FILE_BYTES_MAX = 16 << 20;

/** What was wrong with the last file. */
export const fileFault = signal<Fault | null>(null);

/** Lets the user choose files and reads them; empty when none was chosen. */
export async function chooseTexts(accept: string): Promise<TextFile[]> {
  const files = await new Promise<File[]>((resolve) => {
    const input = document.createElement("input");
    [input.type, input.accept, input.multiple] = ["file", accept, true];
    input.onchange = () => resolve([...(input.files ?? [])]);
    input.oncancel = () => resolve([]);
    input.click();
  });
  return readTexts(files);
}

export async function readTexts(files: File[]): Promise<TextFile[]> {
  const texts: TextFile[] = [];
  for (const file of files) {
    if (file.size > FILE_BYTES_MAX) {
      const what = `${file.name} has ${(file.size / 1e6).toFixed(1)} MB; a file has at most 16 MB`;
      fileFault.value = { what, places: [] };
      return [];
    }
    texts.push({ name: file.name, text: await file.text() });
  }
  return texts;
}

/** The file that is to be loaded; the others are what it refers to. */
export function mainFirst(files: TextFile[]): TextFile[] {
  const rank = (file: TextFile) => {
    if (/^\s*kind\s*=\s*["']scenario["']/m.test(file.text)) return 0;
    return /^\s*kind\s*=\s*["']world["']/m.test(file.text) ? 1 : 2;
  };
  return [...files].sort((a, b) => rank(a) - rank(b));
}

/** Loads files; true when they were taken. What is wrong is kept in `fileFault`. */
export async function loadTexts(files: TextFile[]): Promise<boolean> {
  const [file, ...rest] = mainFirst(files);
  if (!file) return false;
  return attempt({ do: "load", source: { from: "text", file, files: rest } });
}

async function attempt(command: Command): Promise<boolean> {
  try {
    await lab.tell(command);
    fileFault.value = null;
    return true;
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    fileFault.value = error instanceof Refusal ? error.fault : { what, places: [] };
    return false;
  }
}
