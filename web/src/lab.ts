// The page's model of its session: what stands on the table, the latest frame, what was refused.
import { batch, computed, signal } from "@preact/signals";
import { Refusal, type Link, type LinkState } from "./link/link";
import type { Command, Frame, Listed, Message, Outcome, Part, RecordingInfo, Stage } from "./protocol";

/** A short message to the user. */
export interface Notice {
  id: number;
  kind: "info" | "error";
  text: string;
}

/** One session and everything views draw from. */
export class Lab {
  readonly link = signal<Link | null>(null);
  readonly linkState = signal<LinkState>({ at: "opening" });
  readonly stage = signal<Stage | null>(null);
  readonly frame = signal<Frame | null>(null);
  readonly entries = signal<Listed[]>([]);
  readonly recordings = signal<RecordingInfo[]>([]);
  readonly conditions = signal<string[]>([]);
  readonly notices = signal<Notice[]>([]);
  /** Robot whose inside is watched. */
  readonly watched = signal(0);
  readonly program = signal("");
  readonly kind = computed(() => this.stage.value?.kind ?? null);
  readonly isPlaying = computed(() => this.frame.value?.is_playing ?? false);
  /** Called with every frame, drawn or not: plots gather here. */
  readonly taps = new Set<(frame: Frame, stage: Stage) => void>();

  private wanted = new Map<object, Part[]>();
  private asked = "";
  private lastNotice = 0;
  private dropped: Frame | null = null;

  /** Listens to a link. */
  readonly listener = {
    message: (message: Message) => this.take(message),
    state: (state: LinkState) => {
      this.linkState.value = state;
    },
  };

  /** Takes a link into use, closing the one before. */
  use(link: Link): void {
    this.link.value?.close();
    this.link.value = link;
    this.asked = "";
    void this.list();
  }

  /** Asks for something; a refusal becomes a notice and `null`. */
  async ask(command: Command): Promise<Outcome | null> {
    try {
      return await this.tell(command);
    } catch (error) {
      this.notify("error", describe(error));
      return null;
    }
  }

  /** Asks for something; rejects with a `Refusal`. */
  tell(command: Command): Promise<Outcome> {
    const link = this.link.value;
    if (!link) return Promise.reject(new Refusal({ what: "no session is open yet", places: [] }));
    return link.ask(command);
  }

  async list(): Promise<void> {
    const outcome = await this.ask({ do: "list" });
    if (outcome?.kind !== "listing") return;
    batch(() => {
      this.entries.value = outcome.entries;
      this.recordings.value = outcome.recordings;
      this.conditions.value = outcome.conditions;
    });
  }

  /** Says which parts a view needs while it is shown; `null` takes that back. */
  want(view: object, parts: Part[] | null): void {
    if (parts) this.wanted.set(view, parts);
    else this.wanted.delete(view);
    this.watch();
  }

  /** Chooses the robot whose inside is watched. */
  follow(robot: number): void {
    this.watched.value = robot;
    this.watch();
  }

  notify(kind: Notice["kind"], text: string): void {
    const notice = { id: ++this.lastNotice, kind, text };
    this.notices.value = [...this.notices.value.filter((n) => n.text !== text), notice].slice(-4);
    if (kind === "info") setTimeout(() => this.dismiss(notice.id), 6000);
  }

  dismiss(id: number): void {
    this.notices.value = this.notices.value.filter((n) => n.id !== id);
  }

  private watch(): void {
    const parts = [...new Set([...this.wanted.values()].flat())].sort();
    const robot = this.watched.value;
    const asked = `${robot} ${parts.join(" ")}`;
    if (asked === this.asked || !this.link.value) return;
    this.asked = asked;
    void this.ask({ do: "watch", robot, parts });
  }

  private take(message: Message): void {
    switch (message.type) {
      case "hello":
        this.program.value = message.program;
        break;
      case "stage":
        batch(() => {
          const before = this.stage.value;
          this.stage.value = message.stage;
          if (before?.name !== message.stage.name || before?.kind !== message.stage.kind) {
            this.frame.value = null;
            this.follow(0);
          }
        });
        // A session that is new does not know yet what is watched.
        this.watch();
        break;
      case "frame": {
        const stage = this.stage.value;
        if (!stage) break;
        for (const tap of this.taps) tap(message.frame, stage);
        // Drawing follows the display; frames in between are only tapped.
        if (!this.dropped) requestFrame(() => {
          this.frame.value = this.dropped;
          this.dropped = null;
        });
        this.dropped = message.frame;
        break;
      }
      case "refused":
        this.notify("error", message.fault.what);
        break;
    }
  }
}

/** A hidden page draws nothing, yet must keep the latest frame. */
function requestFrame(draw: () => void): void {
  if (document.hidden) setTimeout(draw, 100);
  else requestAnimationFrame(draw);
}

/** An error in words. */
export function describe(error: unknown): string {
  if (error instanceof Refusal) {
    const places = error.fault.places ?? [];
    const lines = places.map((place) =>
      place.line ? `${place.file}:${place.line}:${place.column}: ${place.text}` : `${place.file}: ${place.text}`,
    );
    return lines.length ? lines.join("\n") : error.fault.what;
  }
  return error instanceof Error ? error.message : String(error);
}

/** The page's session. */
export const lab = new Lab();
