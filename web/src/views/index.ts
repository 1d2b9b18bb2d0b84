// Every view, by its tab. A view is loaded when it is first shown.
import type { ComponentType } from "preact";
import type { StageKind } from "../protocol";

export interface View {
  /** Part of the address: `#/world`. */
  id: string;
  title: string;
  /** Kinds of table it can show; empty for all. */
  kinds: StageKind[];
  load(): Promise<{ default: ComponentType }>;
}

export const views: View[] = [
  { id: "world", title: "World", kinds: ["robots"], load: () => import("./world") },
  { id: "organism", title: "Organism", kinds: ["robots"], load: () => import("./organism") },
  { id: "robot-lab", title: "Robot lab", kinds: ["robots"], load: () => import("./robot-lab") },
  { id: "dynamics", title: "Dynamics", kinds: ["dynamics"], load: () => import("./dynamics") },
  { id: "octopus", title: "Octopus", kinds: ["octopus"], load: () => import("./octopus") },
  { id: "runs", title: "Runs", kinds: [], load: () => import("./runs") },
  { id: "study", title: "Study", kinds: [], load: () => import("./study") },
];
