// Whether the client still waits for the response of a request. In this low layer so that verbs and admission are
// independent of connections.

/** The lifetime of a request, until its response. */
export interface RequestLife {
  /** Whether the request has timed out or its client has gone: what has not been stored by then is not stored. */
  readonly isAbandoned: boolean;
  /** When the request times out, in milliseconds since the Unix epoch; undefined for one that does not. */
  readonly endsMs: number | undefined;
  /** Calls back when that happens, immediately if it has happened. @returns a function that unsubscribes */
  whenAbandoned(callback: () => void): () => void;
}
