// A state machine as a picture: the state it is in, and the ways that lead on from there.
import { useMemo } from "preact/hooks";
import { type DrawnState, type Line, type Way, place } from "./layout";

export interface DiagramProps {
  states: DrawnState[];
  ways: Way[];
  current: number | null;
  /** Ways that could be taken now; left out, all that leave the current state. */
  isPossible?(way: Way): boolean;
}

export function Diagram({ states, ways, current, isPossible }: DiagramProps) {
  const key = JSON.stringify([states.map((s) => s.name), ways.map((w) => [w.from, w.to, w.label])]);
  const picture = useMemo(() => place(states, ways), [key]);
  const isNow = (line: Line) => line.from === current && line.ways.some((way) => isPossible?.(way) ?? true);
  const from = current === null ? null : states[current];
  const onward = ways.filter((w) => w.from === current && (isPossible?.(w) ?? true));
  const spoken = from
    ? `In state ${from.name}. ${onward.map((w) => `${w.label} leads to ${states[w.to]?.name}`).join("; ")}.`
    : `States ${states.map((s) => s.name).join(", ")}; none is current.`;
  return (
    <div class="scroll" role="group" aria-label="Picture of the machine" tabIndex={0}>
      <svg
        class="machine"
        id="machine"
        viewBox={`0 0 ${picture.width} ${picture.height}`}
        width={picture.width}
        height={picture.height}
        role="img"
        aria-label={`State machine. ${spoken}`}
        data-state={from?.name ?? ""}
      >
        <defs>
          {["way", "now"].map((name) => (
            <marker key={name} id={`arrow-${name}`} class={name} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
              <path d="M0,0L8,4L0,8z" />
            </marker>
          ))}
        </defs>
        {picture.lines.map((line) => (
          <path key={`${line.from} ${line.to}`} class={isNow(line) ? "way now" : "way"} d={line.path} marker-end={`url(#arrow-${isNow(line) ? "now" : "way"})`} />
        ))}
        {picture.lines.map((line) => (
          <text key={`${line.from} ${line.to}`} class={isNow(line) ? "why now" : "why"} x={line.at.x} y={line.at.y - (line.lines.length - 1) * 7 + 4}>
            {line.lines.map((label, i) => <tspan key={i} x={line.at.x} dy={i === 0 ? 0 : 14}>{label}</tspan>)}
          </text>
        ))}
        {picture.boxes.map((box, i) => (
          <g key={i} class={i === current ? "state now" : "state"}>
            <title>{states[i]?.about}</title>
            <rect x={box.x - box.width / 2} y={box.y - box.height / 2} width={box.width} height={box.height} rx="9" />
            <text x={box.x} y={box.y + 5}>{states[i]?.name}</text>
          </g>
        ))}
      </svg>
    </div>
  );
}
