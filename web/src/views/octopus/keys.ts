import { useEffect, useRef } from "preact/hooks";
import { lab } from "../../lab";
import type { ArmTask } from "../../protocol";
import { isTyping } from "../../ui/transport";
import { TOOLS, type Tool } from "../octopus";

export interface Hands {
  arm: number;
  chooseArm(arm: number): void;
  tool: Tool;
  chooseTool(tool: Tool): void;
  object: number | null;
}

export function assign(arm: number, task: ArmTask): void {
  void lab.ask({ do: "assign", arm, task });
}

/** Takes an object away; food or obstacle, as it is. */
export function remove(object: number | null): void {
  const found = lab.frame.value?.octopus?.objects.find((o) => o.id === object);
  if (found) void lab.ask({ do: "remove", thing: { kind: found.is_food ? "food" : "obstacle", index: found.id } });
}

/** The explorer's keys. */
export function useOctopusKeys(hands: Hands): void {
  // A key acts on what is chosen when it is pressed: effects come later than that.
  const now = useRef(hands);
  now.current = hands;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { arm, chooseArm, tool, chooseTool, object } = now.current;
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const key = event.key.toLowerCase();
      const picked = TOOLS.find((t) => t.key === key);
      if (/^[1-8]$/.test(key)) chooseArm(Number(key));
      else if (picked) chooseTool(tool === picked.tool ? "destination" : picked.tool);
      else if (key === "x") assign(arm, { task: "idle" });
      else if (key === "r") assign(arm, { task: "reset" });
      else if (key === "t") assign(arm, { task: "retract" });
      else if (key === "g") assign(arm, { task: "release" });
      else if (key === "delete" || key === "backspace") remove(object);
      else if (key === "d") void lab.ask({ do: "reset", what: "whole" });
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
