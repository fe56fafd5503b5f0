// A request's share of the server's capacity while it is handled, and its classification. Implemented by priority and
// fairness and by the plain limits; read by the log and by the headers of responses.

/** A flow schema and its priority level. */
export interface FlowClass {
  readonly name: string;
  readonly uid: string;
  readonly level: { readonly name: string; readonly uid: string };
}

/** The seats that a request occupies, and for how long. */
export interface HeldSeats {
  readonly initialSeats: number;
  readonly finalSeats: number;
  /** Of the final stage. */
  readonly additionalMs: number;
  /** Execution time so far; for a watch, until its initial events were sent. */
  readonly executionMs: number;
}

/** A share of the server's capacity. */
export interface Seat {
  /** May be called more than once. */
  release(): void;
  /** Undefined unless seats are those of priority and fairness. */
  readonly held?: HeldSeats;
}
