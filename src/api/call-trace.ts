// Interface for tracing a call to another server on behalf of a request. In this low layer so that callers are
// independent of tracing.

/** Attributes of a call's span. */
export interface CallReason {
  /** `Call validating webhook` */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface OutgoingCall {
  readonly method: string;
  readonly url: string;
  readonly userAgent: string;
  /** Undefined if unknown. */
  readonly requestBytes?: number;
  /** Undefined for a call without a parent. */
  readonly reason?: CallReason | undefined;
}

export interface CallTrace {
  /** Headers with which the callee continues the trace. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the call. @param status of the response; undefined if there was none */
  over(status: number | undefined): void;
}

/** Begins the span of a call; undefined without tracing. */
export type TraceCall = (call: OutgoingCall) => CallTrace | undefined;

/** A completed call, for metrics. */
export interface ObservedCall {
  readonly method: string;
  /** Including the port, if the URL has one. */
  readonly host: string;
  /** Of the response; undefined if there was none. */
  readonly status: number | undefined;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly durationMs: number;
}

export type CallObserver = (call: ObservedCall) => void;
