import { Link, type Listener } from "./link";

/** A session on a server. */
export class SocketLink extends Link {
  readonly kind = "server";
  private socket: WebSocket;
  private waiting: string[] = [];

  constructor(listener: Listener, address: string) {
    super(listener);
    listener.state({ at: "opening" });
    this.socket = new WebSocket(address);
    this.socket.onopen = () => {
      listener.state({ at: "open" });
      for (const text of this.waiting.splice(0)) this.socket.send(text);
    };
    this.socket.onmessage = (event) => this.take(String(event.data));
    this.socket.onclose = (event) => {
      const why = event.reason || "the server is gone; start `tropism lab` and reload this page";
      this.refuseAll(why);
      listener.state({ at: "closed", why });
    };
  }

  protected post(text: string): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else if (this.socket.readyState === WebSocket.CONNECTING) this.waiting.push(text);
    else this.refuseAll("the server is gone; start `tropism lab` and reload this page");
  }

  // A server's session goes on by itself; only its frames are not drawn.
  hidden(): void {}

  close(): void {
    this.socket.onclose = null;
    this.socket.close();
    this.refuseAll("the session was closed");
  }
}

/** Address of the sessions of the server this page came from. */
export function socketAddress(): string {
  const url = new URL("session", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.hash = "";
  return url.href;
}

/** What a server says of itself. */
export interface Served {
  /** Sessions begin with something on the table. */
  has_beginning: boolean;
}

/** What `tropism lab` says of itself; `null` when this page came from a static host. */
export async function served(): Promise<Served | null> {
  try {
    const reply = await fetch(new URL("backend.json", location.href), { cache: "no-store" });
    const said = reply.ok ? ((await reply.json()) as Partial<Served> & { program?: string | null }) : null;
    return said?.program?.includes("tropism") ? { has_beginning: said.has_beginning === true } : null;
  } catch {
    return null;
  }
}
