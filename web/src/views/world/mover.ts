// Moves follow the pointer, yet never more than one is under way.
import { lab } from "../../lab";
import type { Command } from "../../protocol";

export class Mover {
  private next: Command | null = null;
  private isBusy = false;

  /** Asks for the latest move as soon as the one before is done. */
  ask(command: Command): void {
    this.next = command;
    if (!this.isBusy) void this.run();
  }

  private async run(): Promise<void> {
    this.isBusy = true;
    while (this.next) {
      const command = this.next;
      this.next = null;
      if ((await lab.ask(command)) === null) this.next = null;
    }
    this.isBusy = false;
  }
}

export const mover = new Mover();
