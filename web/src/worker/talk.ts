// What a page and its worker say to each other around the messages of the protocol.

/** To the worker. */
export type ToWorker =
  /** A request. */
  | { say: string }
  /** The page was hidden or shown. */
  | { hidden: boolean }
  /** A frame that asked for it was taken. */
  | { seen: true };

/** From the worker. */
export type FromWorker =
  /** Messages; those that ask want to be answered with `seen`. */
  | { say: string[]; asks?: boolean }
  /** A script has its turn. */
  | { beat: true }
  /** No script has its turn. */
  | { idle: true }
  /** It ended; why. */
  | { broken: string };
