// Phases of a request, and the time that each takes, noted by those who make it wait. It stands this low so that verbs and admission can
// tell without knowing who listens.

/** What a request waits for, or is worked on with. */
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
  /** The time since the last phase ended, or since the request came, went to this one. */
  spent(phase: RequestPhase): void;
}
