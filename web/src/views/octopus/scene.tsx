// The scene: body, arms, objects, targets, contacts, hazards.
import { useMemo, useRef } from "preact/hooks";
import { lab } from "../../lab";
import type { OctopusFrame, OctopusStage, Point } from "../../protocol";
import { Camera, Canvas, type Pointing } from "../../ui/canvas";
import { colours, type Colours } from "../../ui/colours";
import type { Tool } from "../octopus";
import { assign } from "./keys";

/** Radius of what is newly placed, px; as in the explorer people know. */
const NEW_PX = 14;
const HAZARD_PX = 60;
/** Distance within which a click takes an object or a tip, px of the scene. */
const TAKE_PX = 12;
const GRID_PX = 40;

interface Props {
  stage: OctopusStage;
  arm: number;
  chooseArm(arm: number): void;
  tool: Tool;
  object: number | null;
  chooseObject(id: number | null): void;
}

export function SceneCanvas(props: Props) {
  const { stage, arm, chooseArm, tool, object, chooseObject } = props;
  const camera = useMemo(() => Object.assign(new Camera(), { isYDown: true }), []);
  const drag = useRef<{ id: number; isFood: boolean } | "target" | null>(null);
  const frame = lab.frame.value?.octopus ?? null;

  const hit = ([x, y]: Point) =>
    frame?.objects.find((o) => Math.hypot(o.at[0] - x, o.at[1] - y) <= Math.max(o.radius, TAKE_PX));
  const clamp = ([x, y]: Point): Point => {
    const [low, high] = stage.bounds;
    return [Math.min(Math.max(x, low[0]), high[0]), Math.min(Math.max(y, low[1]), high[1])];
  };
  const pointing: Pointing = {
    down(at, event) {
      const found = hit(at);
      const isMove = tool === "move" || event.button === 2;
      if (isMove) {
        chooseObject(found?.id ?? null);
        if (!found) {
          const tip = frame?.arms.findIndex((a) => near(a.joints.at(-1) as Point | undefined, at)) ?? -1;
          if (tip >= 0) chooseArm(tip + 1);
          return false;
        }
        drag.current = { id: found.id, isFood: found.is_food };
      } else if (tool === "food" || tool === "obstacle") {
        void lab.ask({ do: "add", thing: { kind: tool, at: clamp(at), radius: NEW_PX } });
      } else if (tool === "hazard") {
        void lab.ask({ do: "hazard", at: clamp(at), radius: HAZARD_PX, severity: 0.8 });
      } else if (found?.is_food) {
        assign(arm, { task: "food", food: found.id });
      } else {
        drag.current = "target";
        assign(arm, { task: "reach", at: clamp(at) });
      }
      return true;
    },
    move(at, event) {
      if (!event.buttons || drag.current === null) return;
      if (drag.current === "target") assign(arm, { task: "reach", at: clamp(at) });
      else {
        const { id, isFood } = drag.current;
        void lab.ask({ do: "move", thing: { kind: isFood ? "food" : "obstacle", index: id }, to: clamp(at) });
      }
    },
    up() {
      drag.current = null;
    },
  };
  const draw = (context: CanvasRenderingContext2D, view: Camera) => {
    const c = colours();
    context.fillStyle = c.back;
    context.fillRect(0, 0, view.width, view.height);
    context.save();
    context.translate(...view.toScreen([0, 0]));
    context.scale(view.scale, view.scale);
    ground(context, stage, c, view.scale);
    if (frame) {
      things(context, frame, object, c, view.scale);
      arms(context, stage, frame, arm, c, view.scale);
    }
    context.restore();
  };
  return (
    <Canvas
      label="Scene of the octopus"
      description={frame ? inWords(frame, arm) : "Nothing yet."}
      camera={camera}
      bounds={stage.bounds as [Point, Point]}
      fitKey={lab.stage.value?.name}
      draw={draw}
      pointing={pointing}
      onKeyDown={(event) => {
        if (event.key !== "Tab" || event.ctrlKey) return;
        const next = event.shiftKey ? arm - 1 : arm + 1;
        // At either end Tab leaves the scene, so that no keyboard user is held here.
        if (next < 1 || next > stage.arms.length) return;
        chooseArm(next);
        event.preventDefault();
      }}
    />
  );
}

function near(a: Point | undefined, b: Point): boolean {
  return a !== undefined && Math.hypot(a[0] - b[0], a[1] - b[1]) <= TAKE_PX;
}

function ring(context: CanvasRenderingContext2D, [x, y]: Point, radius: number): void {
  context.moveTo(x + radius, y);
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

function ground(context: CanvasRenderingContext2D, stage: OctopusStage, c: Colours, scale: number): void {
  const [low, high] = stage.bounds as [Point, Point];
  context.strokeStyle = c.grid;
  context.lineWidth = 1 / scale;
  context.beginPath();
  for (let x = low[0]; x <= high[0] + 1e-6; x += GRID_PX) context.moveTo(x, low[1]), context.lineTo(x, high[1]);
  for (let y = low[1]; y <= high[1] + 1e-6; y += GRID_PX) context.moveTo(low[0], y), context.lineTo(high[0], y);
  context.stroke();
  context.strokeStyle = c.wall;
  context.strokeRect(low[0], low[1], high[0] - low[0], high[1] - low[1]);
  context.beginPath();
  ring(context, stage.body as Point, stage.body_radius);
  context.fillStyle = c.solid;
  context.fill();
}

function things(context: CanvasRenderingContext2D, frame: OctopusFrame, chosen: number | null, c: Colours, scale: number): void {
  for (const hazard of frame.hazards) {
    context.beginPath();
    ring(context, hazard.at as Point, hazard.radius);
    context.globalAlpha = 0.12 + 0.25 * hazard.severity;
    context.fillStyle = c.bad;
    context.fill();
    context.globalAlpha = 1;
  }
  for (const object of frame.objects) {
    context.beginPath();
    ring(context, object.at as Point, object.radius);
    context.fillStyle = object.is_food ? c.good : c.wall;
    context.fill();
    if (object.id === chosen || object.holder) {
      context.beginPath();
      ring(context, object.at as Point, object.radius + 4);
      context.strokeStyle = object.holder ? armColour(object.holder, c) : c.accent;
      context.lineWidth = 2 / scale;
      context.stroke();
    }
  }
}

export function armColour(arm: number, c: Colours): string {
  return c.series[(arm - 1) % c.series.length] ?? c.text;
}

function arms(context: CanvasRenderingContext2D, stage: OctopusStage, frame: OctopusFrame, chosen: number, c: Colours, scale: number): void {
  context.lineJoin = context.lineCap = "round";
  frame.arms.forEach((arm, i) => {
    const number = stage.arms[i]?.number ?? i + 1;
    const colour = armColour(number, c);
    context.strokeStyle = colour;
    context.lineWidth = number === chosen ? 6 : 3.5;
    context.beginPath();
    arm.joints.forEach((p, k) => (k ? context.lineTo(p[0]!, p[1]!) : context.moveTo(p[0]!, p[1]!)));
    context.stroke();
    if (arm.contacts.length) {
      context.beginPath();
      for (const contact of arm.contacts) ring(context, contact as Point, 5);
      context.lineWidth = 1.5 / scale;
      context.strokeStyle = c.bad;
      context.stroke();
    }
    if (arm.target) {
      const target = arm.target as Point;
      context.beginPath();
      ring(context, target, 7);
      context.lineWidth = 1.5 / scale;
      context.strokeStyle = colour;
      context.setLineDash(arm.is_beyond_reach ? [3, 3] : []);
      context.stroke();
      context.setLineDash([]);
    }
    const tip = arm.joints.at(-1) as Point | undefined;
    if (tip) {
      context.font = `${12 / scale}px system-ui`;
      context.fillStyle = c.text;
      context.fillText(String(number), tip[0] + 6 / scale, tip[1] - 6 / scale);
    }
  });
}

function inWords(frame: OctopusFrame, arm: number): string {
  const food = frame.objects.filter((o) => o.is_food).length;
  const state = frame.arms[arm - 1]?.state ?? "unknown";
  return `${frame.arms.length} arms, ${food} food, ${frame.objects.length - food} obstacles, ${frame.hazards.length} hazards; arm ${arm} is ${state}.`;
}
