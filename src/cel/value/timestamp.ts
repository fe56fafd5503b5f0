// A moment, exact to the nanosecond.

/** Seconds since 1970 in UTC, negative before; 0 <= nanos < 10^9. Years 1 to 9999. */
export class Timestamp {
  readonly seconds: number;
  readonly nanos: number;
  constructor(seconds: number, nanos: number) {
    this.seconds = seconds;
    this.nanos = nanos;
  }
}
