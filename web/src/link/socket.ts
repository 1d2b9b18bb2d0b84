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

/** True when this page was served by `tropism lab`. */
export async function isServed(): Promise<boolean> {
  try {
    const reply = await fetch(new URL("api/hello", location.href), { method: "GET" });
    return reply.ok && (await reply.text()).includes("tropism");
  } catch {
    return false;
  }
}
