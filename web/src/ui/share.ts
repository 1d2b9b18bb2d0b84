// Whatever a link carries: JSON, deflated, as base64url. It goes behind the `#`, which no browser
// sends to a server, and it uses no character that chat programs or mail break.
import { Inflate, deflateSync, strFromU8, strToU8 } from "fflate";
import { lab } from "../lab";

/** Longer links are refused or cut by programs on the way. */
export const LINK_CHARACTERS_MAX = 16_000;
/** Most bytes a link may unpack to. */
const UNPACKED_BYTES_MAX = 4 << 20;
const PIECE = 1024;

export function pack(value: unknown): string {
  const bytes = deflateSync(strToU8(JSON.stringify(value)), { level: 9 });
  let text = "";
  for (let i = 0; i < bytes.length; i += PIECE) {
    text += String.fromCharCode(...bytes.subarray(i, i + PIECE));
  }
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The reverse; throws an error in words. */
export function unpack(text: string): unknown {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) {
    throw new Error("this link is damaged: it has characters that no link of this page has");
  }
  try {
    return JSON.parse(strFromU8(inflate(fromBase64(text))));
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    throw new Error("this link is damaged or cut short; ask for it again, or for the file");
  }
}

class TooLarge extends Error {}

function fromBase64(text: string): Uint8Array {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}

function inflate(bytes: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  let [length, isWhole] = [0, false];
  const stream = new Inflate((piece, isLast) => {
    length += piece.length;
    isWhole = isLast;
    if (length > UNPACKED_BYTES_MAX) throw new TooLarge("this link unpacks to more than 4 MB");
    pieces.push(piece);
  });
  // In small pieces, so that a link made to blow up is stopped early.
  for (let i = 0; i < bytes.length; i += PIECE) {
    stream.push(bytes.subarray(i, i + PIECE), i + PIECE >= bytes.length);
  }
  if (!isWhole) throw new Error("cut");
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Address of this page that carries these values; `null` when it would be too long. */
export function linkTo(view: string, values: Record<string, string>): string | null {
  const url = new URL(location.href);
  url.hash = `/${view}?${new URLSearchParams(values)}`;
  return url.href.length > LINK_CHARACTERS_MAX ? null : url.href;
}

/** Puts text into the clipboard; false when the browser does not allow it. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    lab.notify("info", "The link is in the clipboard.");
    return true;
  } catch {
    return false;
  }
}
