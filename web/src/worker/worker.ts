// The thread that holds a session: it owns the clock and hands messages to and fro.
import type { Lab } from "../generated/wasm/tropism_wasm";
import { laboratory } from "./laboratory";
import type { FromWorker, ToWorker } from "./talk";

/** Longest time spent on the run before messages are looked at, ms. */
const WORK_MS = 12;
/** Shortest time between two frames of a run, ms. */
const FRAME_MS = 25;
/** Largest share of the time that frames may take of a run that cannot keep up. */
const FRAME_SHARE = 0.03;
/** Shortest time between two signs of life of a script that has its turn, ms. */
const BEAT_MS = 100;
/** Time to the next look at the clock when the run is up to it, ms. */
const REST_MS = 8;

const tell = (message: FromWorker) => postMessage(message);

let isInScript = false;
let beaten = 0;

/** A script gets its turn: from here on silence means that it hangs. */
function beat(): void {
  const now = performance.now();
  if (isInScript && now - beaten < BEAT_MS) return;
  [isInScript, beaten] = [true, now];
  tell({ beat: true });
}

/** Runs something of the session, and says so when scripts are done with. */
function guarded(run: () => boolean): void {
  try {
    const hasSpoken = run();
    if (isInScript && !hasSpoken) tell({ idle: true });
    isInScript = false;
  } catch (error) {
    // The module stopped itself; nothing it holds can be trusted any more.
    tell({ broken: String(error) });
    close();
  }
}

async function open(): Promise<Table> {
  const { Lab } = await laboratory(beat, (why) => tell({ broken: why }));
  tell({ say: [Lab.hello()] });
  return new Table(new Lab());
}

/** A session under way. */
class Table {
  private last = 0;
  private shown = 0;
  /** What the last frame took, ms. */
  private cost = 0;
  private isBehind = false;
  private isSeen = true;
  private isHidden = false;
  private isStale = false;
  private timer = 0;
  private readonly turn = new MessageChannel();

  constructor(private readonly lab: Lab) {
    this.turn.port1.onmessage = () => this.pump();
  }

  take(message: ToWorker): void {
    if ("say" in message) {
      guarded(() => {
        const said = this.lab.begin(message.say, WORK_MS);
        if (said.length) tell({ say: said });
        return said.length > 0;
      });
      this.wake();
    } else if ("hidden" in message) {
      this.isHidden = message.hidden;
      this.wake();
    } else {
      this.isSeen = true;
    }
  }

  /** Starts the clock when there is something to run and someone to see it. */
  private wake(): void {
    if (this.timer || !this.isBusy()) return;
    this.last = performance.now();
    this.later(true);
  }

  /** A step that was asked for is made whether anybody looks or not. */
  private isBusy(): boolean {
    return this.lab.isStepping || (this.lab.isPlaying && !this.isHidden);
  }

  /** Time between two frames, ms. */
  private pause(): number {
    return this.isBehind ? Math.max(FRAME_MS, this.cost / FRAME_SHARE) : FRAME_MS;
  }

  private later(isBehind: boolean): void {
    if (isBehind) {
      this.timer = -1;
      this.turn.port2.postMessage(null);
    } else {
      this.timer = setTimeout(() => this.pump(), REST_MS);
    }
  }

  private pump(): void {
    this.timer = 0;
    if (!this.isBusy()) return;
    const now = performance.now();
    if (this.lab.isStepping) {
      guarded(() => {
        const said = this.lab.stepOn(WORK_MS);
        if (said.length) tell({ say: said });
        return said.length > 0;
      });
    }
    if (this.lab.isPlaying && !this.isHidden) this.play(now);
    else this.last = now;
    this.isBehind = performance.now() - now >= WORK_MS / 2;
    this.later(this.isBehind || this.lab.isStepping);
  }

  private play(now: number): void {
    const elapsed = now - this.last;
    this.last = now;
    guarded(() => {
      if (this.lab.advance(elapsed, WORK_MS) > 0) this.isStale = true;
      // A page that has not taken the last frame gets no further one: it would only fall behind.
      if (!this.isStale || !this.isSeen || now - this.shown < this.pause()) return false;
      const begun = performance.now();
      const frame = this.lab.frame();
      if (frame === undefined) return false;
      tell({ say: [frame], asks: true });
      this.cost = performance.now() - begun;
      [this.isStale, this.isSeen, this.shown] = [false, false, now];
      return true;
    });
  }
}

const opened = open();
opened.catch((error: unknown) => tell({ broken: `the laboratory could not be loaded: ${String(error)}` }));
onmessage = (event: MessageEvent<ToWorker>) => {
  opened.then(
    (table) => table.take(event.data),
    () => undefined,
  );
};
