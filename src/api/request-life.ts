// Whether anybody still waits for the answer of a request. It stands this low so that verbs and admission can ask without
// knowing what a connection is.

/** The life of one request, up to its answer. */
export interface RequestLife {
  /** Whether its time is over or its client has gone: what has not been stored by then is not stored any more. */
  readonly isAbandoned: boolean;
  /** Calls back when that happens, at once where it has happened. @returns withdraws the callback */
  whenAbandoned(callback: () => void): () => void;
}
