// Where robots have been: a bounded number of points for all of them together.
import type { Frame } from "../../protocol";

/** Points of all robots together. */
const POINTS_MAX = 6000;
const POINTS_EACH_MAX = 1500;
const POINTS_EACH_MIN = 60;
/** Shorter ways add no point, m. */
const STEP_M = 0.01;
/** Longer ways are a jump: a new life, a robot that was moved, m. */
const JUMP_M = 0.4;

interface Trail {
  /** x and y in turn; a pair of NaN is a gap. */
  points: Float32Array;
  next: number;
  count: number;
  last: [number, number];
}

export class Trails {
  private trails: Trail[] = [];
  private tick = -1;
  private key = "";

  /** Takes a frame in; another key, or time going back, forgets everything. */
  take(frame: Frame, key: string): void {
    const robots = frame.robots?.robots ?? [];
    if (key !== this.key || robots.length !== this.trails.length || frame.tick < this.tick) {
      const each = Math.floor(POINTS_MAX / Math.max(robots.length, 1));
      const size = Math.max(POINTS_EACH_MIN, Math.min(POINTS_EACH_MAX, each));
      this.trails = robots.map(() => ({ points: new Float32Array(2 * size), next: 0, count: 0, last: [NaN, NaN] }));
      this.key = key;
    }
    this.tick = frame.tick;
    robots.forEach(({ at }, i) => {
      const trail = this.trails[i];
      if (!trail) return;
      const way = Math.hypot(at[0] - trail.last[0], at[1] - trail.last[1]);
      if (way < STEP_M) return;
      if (way > JUMP_M) push(trail, NaN, NaN);
      push(trail, at[0], at[1]);
      trail.last = [at[0], at[1]];
    });
  }

  clear(): void {
    this.key = "";
    this.trails = [];
  }

  /** Oldest first; `isStart` after a gap. */
  each(robot: number, point: (x: number, y: number, isStart: boolean) => void): void {
    const trail = this.trails[robot];
    if (!trail) return;
    const size = trail.points.length / 2;
    let isStart = true;
    for (let k = 0; k < trail.count; k++) {
      const i = (trail.next - trail.count + k + size) % size;
      const [x = NaN, y = NaN] = [trail.points[2 * i], trail.points[2 * i + 1]];
      if (Number.isNaN(x)) isStart = true;
      else {
        point(x, y, isStart);
        isStart = false;
      }
    }
  }
}

function push(trail: Trail, x: number, y: number): void {
  trail.points[2 * trail.next] = x;
  trail.points[2 * trail.next + 1] = y;
  const size = trail.points.length / 2;
  trail.next = (trail.next + 1) % size;
  trail.count = Math.min(trail.count + 1, size);
}
