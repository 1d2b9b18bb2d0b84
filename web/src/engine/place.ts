// Where an error lies. The page's engine keeps no place for names and properties: it names the last
// call before them. What the message names is looked for in the text from there on.

/** The stack with its first place in the file put where the message says. */
export function placed(stack: string, file: string, text: string, message: string): string {
  const frame = stack.split("\n").find((line) => line.includes(`${file}:`));
  const found = frame?.slice(frame.lastIndexOf(`${file}:`)).match(/:(\d+):(\d+)/);
  if (!frame || !found) return stack;
  const code = blanked(text);
  const from = indexOf(code, Number(found[1]), Number(found[2]));
  const at = named(code, from, message);
  if (at === null) return stack;
  const line = code.slice(0, at).split("\n").length;
  const column = at - code.lastIndexOf("\n", at - 1);
  return stack.replace(frame, frame.replace(found[0], `:${line}:${column}`));
}

/** Where what the message names stands, from an index on. */
function named(code: string, from: number, message: string): number | null {
  const name = /^([\w$]+) is not (?:defined|initialized)$/.exec(message)?.[1];
  if (name) return first(code, from, `(?<![\\w$.])${escaped(name)}(?![\\w$])`);
  const property = /^cannot (?:read|set) property '([\w$]+)' of /.exec(message)?.[1];
  if (!property) return null;
  const dot = first(code, from, `\\.\\s*${escaped(property)}(?![\\w$])`);
  if (dot === null) return null;
  // The expression begins with the chain of names before the dot.
  return dot - (/[\w$.\])]+$/.exec(code.slice(0, dot))?.[0].length ?? 0);
}

function first(code: string, from: number, pattern: string): number | null {
  const found = new RegExp(pattern, "g");
  found.lastIndex = from;
  return found.exec(code)?.index ?? null;
}

const escaped = (name: string) => name.replaceAll("$", "\\$");

function indexOf(code: string, line: number, column: number): number {
  let at = 0;
  for (let i = 1; i < line; i++) at = code.indexOf("\n", at) + 1;
  return at + column - 1;
}

/** The text with comments and strings replaced by blanks of the same length. */
function blanked(text: string): string {
  const other = /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[^]|[^`\\])*`/g;
  return text.replace(other, (part) => part.replace(/[^\n]/g, " "));
}
