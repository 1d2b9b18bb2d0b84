/** Seconds as h:mm:ss.t, without leading parts that are zero. */
export function clock(seconds: number): string {
  const tenths = Math.floor(seconds * 10 + 1e-6);
  const pad = (n: number) => String(n).padStart(2, "0");
  const [s, m, h] = [Math.floor(tenths / 10) % 60, Math.floor(tenths / 600) % 60, Math.floor(tenths / 36000)];
  const tail = `${pad(s)}.${tenths % 10}`;
  return h ? `${h}:${pad(m)}:${tail}` : `${m}:${tail}`;
}

/** A number with this many digits behind the point; an en dash for none. */
export function number(value: number | null | undefined, digits = 2): string {
  return value === null || value === undefined || !Number.isFinite(value) ? "–" : value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1");
}

/** `battery_empty` as `battery empty`. */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** Hands the user a file. */
export function download(name: string, text: string | Uint8Array<ArrayBuffer>, type = "text/plain"): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  [link.href, link.download] = [url, name];
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Lets the user choose a file; `null` when none was chosen. */
export function choose(accept: string): Promise<File | null> {
  return new Promise((resolve) => {
    const input = document.createElement("input");
    [input.type, input.accept] = ["file", accept];
    input.onchange = () => resolve(input.files?.[0] ?? null);
    input.oncancel = () => resolve(null);
    input.click();
  });
}

/** Why the server refused, which it says as JSON. */
export function refusal(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === "string" ? error : text;
  } catch {
    return text;
  }
}
