// The open study, kept in this browser: a rater who comes back, or whose page is reloaded, goes on
// where he was. It is in the browser's database, which takes files that are too large for the
// place of the ratings; without a database (a private window may have none) nothing is kept.

/** What is kept: the study file, who rates it, and whether clips are being shown. */
export interface Kept {
  name: string;
  text: string;
  rater: string;
  isOn: boolean;
}

const [BASE, STORE, KEY] = ["tropism-study", "open", "study"];

function base(): Promise<IDBDatabase> {
  return new Promise((done, failed) => {
    const opening = indexedDB.open(BASE, 1);
    opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE);
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => failed(opening.error);
    opening.onblocked = () => failed(new Error("the database is in use"));
  });
}

async function within<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await base();
  try {
    return await new Promise<T>((done, failed) => {
      const turn = database.transaction(STORE, mode);
      const asked = ask(turn.objectStore(STORE));
      turn.oncomplete = () => done(asked.result);
      turn.onerror = turn.onabort = () => failed(turn.error);
    });
  } finally {
    database.close();
  }
}

/** What was kept last; `null` when there is nothing or no place to keep it. */
export async function kept(): Promise<Kept | null> {
  try {
    const found: unknown = await within("readonly", (store) => store.get(KEY));
    return isKept(found) ? found : null;
  } catch {
    return null;
  }
}

/** Keeps it in place of what was kept; false when there is no place for it. */
export async function keep(what: Kept): Promise<boolean> {
  try {
    await within("readwrite", (store) => store.put(what, KEY));
    return true;
  } catch {
    return false;
  }
}

/** Keeps nothing any more. */
export async function letGo(): Promise<void> {
  await within("readwrite", (store) => store.delete(KEY)).catch(() => undefined);
}

function isKept(value: unknown): value is Kept {
  const it = value as Partial<Kept> | undefined;
  return typeof it?.name === "string" && typeof it.text === "string" && typeof it.rater === "string" && typeof it.isOn === "boolean";
}
