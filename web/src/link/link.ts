// A link carries requests to a session and its messages back, whatever stands behind it.
import type { Command, Fault, Message, Outcome } from "../protocol";

/** What a request was refused with. */
export class Refusal extends Error {
  constructor(readonly fault: Fault) {
    super(fault.what);
    this.name = "Refusal";
  }
}

/** How a link stands. */
export type LinkState =
  | { at: "opening" }
  | { at: "open" }
  /** It is gone; `why` says so in words and what to do next. */
  | { at: "closed"; why: string };

export interface Listener {
  message(message: Message): void;
  state(state: LinkState): void;
}

/** Numbers requests, matches replies, and tells the listener of everything else. */
export abstract class Link {
  private next = 1;
  private open = new Map<number, { done(outcome: Outcome): void; refused(error: Error): void }>();

  constructor(protected readonly listener: Listener) {}

  /** `server` or `browser`. */
  abstract readonly kind: "server" | "browser";
  protected abstract post(text: string): void;
  /** Ends it; everything open is refused. */
  abstract close(): void;
  /** Told when the page is hidden or shown. */
  abstract hidden(isHidden: boolean): void;

  /** Asks for something; resolves with what came of it, rejects with a `Refusal`. */
  ask(command: Command): Promise<Outcome> {
    const id = this.next++;
    return new Promise((done, refused) => {
      this.open.set(id, { done, refused });
      this.post(JSON.stringify({ id, command }));
    });
  }

  /** A message as it came. */
  protected take(text: string): void {
    const message = JSON.parse(text) as Message;
    if (message.type === "done") {
      this.settle(message.id)?.done(message.outcome);
    } else if (message.type === "refused" && typeof message.id === "number") {
      this.settle(message.id)?.refused(new Refusal(message.fault));
    } else {
      this.listener.message(message);
    }
  }

  protected refuseAll(why: string): void {
    for (const { refused } of this.open.values()) refused(new Refusal({ what: why, places: [] }));
    this.open.clear();
  }

  private settle(id: number) {
    const waiting = this.open.get(id);
    this.open.delete(id);
    return waiting;
  }
}
