import { Link, type Listener } from "../link/link";

/** A session in this browser, in a worker of its own. */
export class WorkerLink extends Link {
  readonly kind = "browser";
  private worker: Worker;

  constructor(listener: Listener) {
    super(listener);
    listener.state({ at: "opening" });
    this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = (event: MessageEvent<string>) => this.take(event.data);
    this.worker.onerror = (event) => {
      this.refuseAll(event.message);
      listener.state({ at: "closed", why: `${event.message}; reload this page` });
    };
    listener.state({ at: "open" });
  }

  protected post(text: string): void {
    this.worker.postMessage({ say: text });
  }

  hidden(isHidden: boolean): void {
    this.worker.postMessage({ hidden: isHidden });
  }

  close(): void {
    this.worker.terminate();
    this.refuseAll("the session was closed");
  }
}
