// Phases of a request and their durations, recorded by whatever makes it wait. In this low layer so that verbs and
// admission are independent of consumers.

/** What a request waits for, or the kind of work being done. */
export type RequestPhase =
  | 'authentication'
  | 'audit'
  | 'impersonation'
  | 'flow control'
  | 'authorization'
  | 'reading the body'
  | 'mutating admission'
  | 'validating admission'
  | 'store'
  | 'answering';

export interface RequestPhases {
  /** Attributes the time since the end of the last phase, or since the start of the request, to this one. */
  spent(phase: RequestPhase): void;
}
