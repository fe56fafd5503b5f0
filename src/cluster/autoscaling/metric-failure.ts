// A metric by which nothing can be scaled, as an autoscaler reports it.

export class MetricFailure extends Error {
  override name = 'MetricFailure';
  /** Of the condition and the event. */
  readonly reason: string;
  /** The message of the condition and the event; that of the error says more about where it happened. */
  readonly detail: string;

  constructor(reason: string, detail: string, message: string) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}
