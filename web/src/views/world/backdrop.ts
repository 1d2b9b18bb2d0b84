// What stands still is drawn once and then copied: most of a frame's time would go into it.
import type { Camera } from "../../ui/canvas";

export class Backdrop {
  private readonly canvas = document.createElement("canvas");
  private kept = "";
  private last = "";

  /** Draws by `draw`, or copies what it drew the last time it was asked with the same key. */
  show(c: CanvasRenderingContext2D, camera: Camera, key: string, draw: (c: CanvasRenderingContext2D) => void): void {
    const ratio = devicePixelRatio || 1;
    const whole = `${key} ${camera.x} ${camera.y} ${camera.scale} ${camera.width} ${camera.height} ${ratio}`;
    const isSteady = whole === this.last;
    this.last = whole;
    // A picture that moves is not kept: it would be drawn twice.
    if (!isSteady) return draw(c);
    if (this.kept !== whole) {
      [this.canvas.width, this.canvas.height] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)];
      const own = this.canvas.getContext("2d", { alpha: false });
      if (!own) return draw(c);
      own.setTransform(ratio, 0, 0, ratio, 0, 0);
      draw(own);
      this.kept = whole;
    }
    c.drawImage(this.canvas, 0, 0, camera.width, camera.height);
  }
}
