// A session in this browser. A worker whose script hangs is ended and another put in its place.
import { Link, type Listener } from "../link/link";
import type { Command, Outcome } from "../protocol";
import type { FromWorker, ToWorker } from "./talk";

/** How often the worker is looked at, ms. */
const LOOK_MS = 200;
/** Silent looks after which a script that has its turn is taken for hanging. */
const LOOKS = 4;

/** A session in this browser, in a worker of its own. */
export class WorkerLink extends Link {
  readonly kind = "browser";
  private worker: Worker;
  /** Silent looks since a script got its turn; `null` while none has it. */
  private silent: number | null = null;
  private readonly timer: number;
  /** What is asked again of a worker that takes the place of another. */
  private readonly lasting = new Map<Command["do"], Command>();

  constructor(listener: Listener) {
    super(listener);
    listener.state({ at: "opening" });
    this.worker = this.start();
    this.timer = window.setInterval(() => this.look(), LOOK_MS);
    listener.state({ at: "open" });
  }

  override async ask(command: Command): Promise<Outcome> {
    const outcome = await super.ask(command);
    if (command.do === "load") {
      this.lasting.delete("speed");
      this.lasting.set("load", command);
    } else if (command.do === "watch" || command.do === "speed") {
      this.lasting.set(command.do, command);
    }
    return outcome;
  }

  protected post(text: string): void {
    this.send({ say: text });
  }

  hidden(isHidden: boolean): void {
    this.send({ hidden: isHidden });
  }

  close(): void {
    clearInterval(this.timer);
    this.worker.terminate();
    this.refuseAll("the session was closed");
  }

  private send(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = (event: MessageEvent<FromWorker>) => this.told(event.data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.gone(event.message || "its worker could not be loaded");
    };
    if (document.hidden) worker.postMessage({ hidden: true } satisfies ToWorker);
    return worker;
  }

  private told(message: FromWorker): void {
    this.silent = "beat" in message ? 0 : null;
    if ("broken" in message) {
      this.replace(message.broken);
    } else if ("say" in message) {
      for (const text of message.say) this.take(text);
      if (message.asks) this.send({ seen: true });
    }
  }

  /** Counted, not timed: a page that was busy itself has not looked. */
  private look(): void {
    if (this.silent === null) return;
    this.silent += 1;
    if (this.silent >= LOOKS) {
      this.replace("a script did not come to an end within a second; is there an endless loop?");
    }
  }

  /** Ends the worker and sets the table anew in another one, paused at tick 0. */
  private replace(why: string): void {
    this.worker.terminate();
    this.silent = null;
    const what = `stopped: ${why} The table is as it was loaded; your text is kept.`;
    this.refuseAll(what);
    const isLoaded = this.lasting.has("load");
    if (!isLoaded) {
      this.gone(what);
      return;
    }
    this.worker = this.start();
    this.listener.message({ type: "refused", id: null, fault: { what, places: [] } });
    for (const command of this.lasting.values()) {
      super.ask(command).catch((error: unknown) => this.gone(String(error)));
    }
  }

  private gone(why: string): void {
    this.refuseAll(why);
    this.listener.state({ at: "closed", why: `${why} Reload this page.` });
  }
}
