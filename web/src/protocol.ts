// The protocol's types by short names; all of them are made from the schema.
export type * from "./generated/protocol";
import type { Message, Outcome } from "./generated/protocol";

export type Point = [number, number];
export type Reply = Extract<Message, { type: "done" | "refused" }>;
export type OutcomeOf<K extends Outcome["kind"]> = Extract<Outcome, { kind: K }>;
