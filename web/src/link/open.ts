// Further sessions of the page's own kind, for comparisons.
import type { Frame, Message, Stage } from "../protocol";
import { WorkerLink } from "../worker/link";
import type { Link, LinkState } from "./link";
import { SocketLink, socketAddress } from "./socket";

/** How long a frame may take, ms. */
const SHOWN_MS = 5000;

/** A session beside the page's own: its link, and what it said last. */
export class Aside {
  readonly link: Link;
  stage: Stage | null = null;
  frame: Frame | null = null;
  state: LinkState = { at: "opening" };
  private wakers = new Set<() => void>();

  constructor(kind: Link["kind"]) {
    const listener = {
      message: (message: Message) => {
        if (message.type === "stage") this.stage = message.stage;
        if (message.type === "frame") {
          this.frame = message.frame;
          for (const wake of [...this.wakers]) wake();
        }
      },
      state: (state: LinkState) => {
        this.state = state;
      },
    };
    this.link = kind === "server" ? new SocketLink(listener, socketAddress()) : new WorkerLink(listener);
  }

  /** Waits for the frame of a tick, which may come after the reply that it is reached. */
  shown(tick: number): Promise<void> {
    if (this.stage && this.frame?.tick === tick) return Promise.resolve();
    return new Promise((done, late) => {
      const end = () => {
        clearTimeout(timer);
        this.wakers.delete(wake);
      };
      const wake = () => {
        if (this.frame?.tick !== tick) return;
        end();
        done();
      };
      const timer = setTimeout(() => {
        end();
        late(new Error(`tick ${tick} was not shown within ${SHOWN_MS / 1000} s; it is at tick ${this.frame?.tick ?? 0}`));
      }, SHOWN_MS);
      this.wakers.add(wake);
    });
  }
}
