// A drawing of part of the plane: pan by dragging, zoom by wheel, pinch or keys, in true units.
import { useEffect, useRef } from "preact/hooks";
import type { Point } from "../protocol";

/** From the plane (y up, any unit) to the drawing (y down, pixels). */
export class Camera {
  scale = 1;
  x = 0;
  y = 0;
  width = 1;
  height = 1;
  /** Octopus scenes have y downwards. */
  isYDown = false;

  toScreen([x, y]: Point): Point {
    const sign = this.isYDown ? 1 : -1;
    return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 + sign * (y - this.y) * this.scale];
  }

  toPlane(x: number, y: number): Point {
    const sign = this.isYDown ? 1 : -1;
    return [this.x + (x - this.width / 2) / this.scale, this.y + (sign * (y - this.height / 2)) / this.scale];
  }

  /** Shows a whole rectangle with a margin. */
  fit([low, high]: [Point, Point], margin = 0.06): void {
    const [w, h] = [high[0] - low[0], high[1] - low[1]];
    this.x = (low[0] + high[0]) / 2;
    this.y = (low[1] + high[1]) / 2;
    this.scale = Math.min(this.width / (w * (1 + margin)), this.height / (h * (1 + margin)));
  }

  zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
    const before = this.toPlane(x, y);
    this.scale = Math.min(Math.max(this.scale * factor, 1e-3), 1e5);
    const after = this.toPlane(x, y);
    this.x += before[0] - after[0];
    this.y += before[1] - after[1];
  }
}

/** What a pointer did on the plane. A handler that returns true keeps the drag for itself. */
export interface Pointing {
  down?(at: Point, event: PointerEvent): boolean;
  move?(at: Point, event: PointerEvent): void;
  up?(at: Point, event: PointerEvent): void;
}

export interface CanvasProps {
  label: string;
  camera: Camera;
  /** Rectangle to fit when `fitKey` changes. */
  bounds: [Point, Point];
  fitKey: unknown;
  draw(context: CanvasRenderingContext2D, camera: Camera): void;
  pointing?: Pointing;
  onKeyDown?(event: KeyboardEvent): void;
  /** What the drawing shows, in words, for readers that cannot see it. */
  description?: string;
}

export function Canvas(props: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const paint = useRef(() => {});

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d", { alpha: false });
    if (!element || !context) return;
    const { camera } = latest.current;
    paint.current = () => {
      const ratio = devicePixelRatio || 1;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      latest.current.draw(context, camera);
    };
    let isFitted = false;
    const resize = () => {
      const { width, height } = element.getBoundingClientRect();
      if (!width || !height) return;
      const ratio = devicePixelRatio || 1;
      [camera.width, camera.height] = [width, height];
      [element.width, element.height] = [Math.round(width * ratio), Math.round(height * ratio)];
      if (!isFitted) camera.fit(latest.current.bounds);
      isFitted = true;
      paint.current();
    };
    const observer = new ResizeObserver(resize);
    observer.observe(element);
    resize();
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      camera.zoom(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY);
      paint.current();
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => {
      observer.disconnect();
      element.removeEventListener("wheel", wheel);
    };
  }, []);

  useEffect(() => {
    props.camera.fit(props.bounds);
  }, [props.fitKey]);
  // Every render is a new picture: views render when a frame or their own state changes.
  useEffect(() => paint.current());

  usePointers(canvas, latest, () => paint.current());

  const keys = (event: KeyboardEvent) => {
    const { camera } = props;
    const move = 40 / camera.scale;
    const sign = camera.isYDown ? -1 : 1;
    if (event.key === "+" || event.key === "=") camera.zoom(1.25);
    else if (event.key === "-") camera.zoom(0.8);
    else if (event.key === "0") camera.fit(props.bounds);
    else if (event.key === "ArrowLeft" && !event.shiftKey) camera.x -= move;
    else if (event.key === "ArrowRight" && !event.shiftKey) camera.x += move;
    else if (event.key === "ArrowUp" && !event.shiftKey) camera.y += sign * move;
    else if (event.key === "ArrowDown" && !event.shiftKey) camera.y -= sign * move;
    else return props.onKeyDown?.(event);
    event.preventDefault();
    paint.current();
  };

  return (
    <canvas
      ref={canvas}
      class="plane"
      tabIndex={0}
      role="img"
      aria-label={props.label}
      aria-description={props.description ?? "Arrow keys move, + and - zoom, 0 shows everything."}
      onKeyDown={keys}
    />
  );
}

/** One pointer drags, two pinch. */
function usePointers(
  canvas: { current: HTMLCanvasElement | null },
  latest: { current: CanvasProps },
  paint: () => void,
): void {
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const held = new Map<number, { x: number; y: number }>();
    let isTaken = false;
    const place = (event: PointerEvent): Point => latest.current.camera.toPlane(event.offsetX, event.offsetY);
    const down = (event: PointerEvent) => {
      element.focus({ preventScroll: true });
      element.setPointerCapture(event.pointerId);
      held.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      isTaken = held.size === 1 && (latest.current.pointing?.down?.(place(event), event) ?? false);
    };
    const move = (event: PointerEvent) => {
      const last = held.get(event.pointerId);
      const { camera, pointing } = latest.current;
      if (!last || isTaken || held.size === 0) {
        pointing?.move?.(place(event), event);
        return;
      }
      if (held.size === 1) {
        camera.x -= (event.offsetX - last.x) / camera.scale;
        camera.y += ((event.offsetY - last.y) / camera.scale) * (camera.isYDown ? -1 : 1);
      } else {
        const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
        if (other) {
          const before = Math.hypot(last.x - other.x, last.y - other.y);
          const after = Math.hypot(event.offsetX - other.x, event.offsetY - other.y);
          camera.zoom(after / Math.max(before, 1), (event.offsetX + other.x) / 2, (event.offsetY + other.y) / 2);
        }
      }
      held.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      paint();
    };
    const up = (event: PointerEvent) => {
      if (!held.delete(event.pointerId)) return;
      latest.current.pointing?.up?.(place(event), event);
      if (held.size === 0) isTaken = false;
    };
    element.addEventListener("pointerdown", down);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", up);
    element.addEventListener("pointercancel", up);
    return () => {
      element.removeEventListener("pointerdown", down);
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", up);
      element.removeEventListener("pointercancel", up);
    };
  }, []);
}
