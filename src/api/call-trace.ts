// The part that a call of another server has in the trace of the request for which it is made. It stands this low so that
// whoever makes calls can tell of them without knowing of traces.

/** What a call is about, as its own span tells it. */
export interface CallReason {
  /** `Call validating webhook` */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface OutgoingCall {
  readonly method: string;
  readonly url: string;
  readonly userAgent: string;
  /** Undefined where nobody knows. */
  readonly requestBytes?: number;
  /** Undefined for a call that stands for itself. */
  readonly reason?: CallReason | undefined;
}

export interface CallTrace {
  /** Headers by which who is called goes on with the trace. */
  readonly headers: Readonly<Record<string, string>>;
  /** The call is over. @param status of the answer; undefined where none came */
  over(status: number | undefined): void;
}

/** Begins a call's part of the trace; undefined where there is none. */
export type TraceCall = (call: OutgoingCall) => CallTrace | undefined;

/** A call that is over, for who counts calls. */
export interface ObservedCall {
  readonly method: string;
  /** With the port, where the URL names one. */
  readonly host: string;
  /** Of the answer; undefined where none came. */
  readonly status: number | undefined;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly durationMs: number;
}

export type CallObserver = (call: ObservedCall) => void;
