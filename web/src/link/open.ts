// Further sessions of the page's own kind, for comparisons.
import type { Frame, Message, Stage } from "../protocol";
import { WorkerLink } from "../worker/link";
import type { Link, LinkState } from "./link";
import { SocketLink, socketAddress } from "./socket";

/** A session beside the page's own: its link, and what it said last. */
export class Aside {
  readonly link: Link;
  stage: Stage | null = null;
  frame: Frame | null = null;
  state: LinkState = { at: "opening" };

  constructor(kind: Link["kind"]) {
    const listener = {
      message: (message: Message) => {
        if (message.type === "stage") this.stage = message.stage;
        if (message.type === "frame") this.frame = message.frame;
      },
      state: (state: LinkState) => {
        this.state = state;
      },
    };
    this.link = kind === "server" ? new SocketLink(listener, socketAddress()) : new WorkerLink(listener);
  }
}
