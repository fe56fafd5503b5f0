// A length of time, exact to the nanosecond.

/** `seconds` and `nanos` have the same sign; |nanos| < 10^9. Range: cel-go's, ±(2^63 - 1) ns on arithmetic. */
export class Duration {
  readonly seconds: number;
  readonly nanos: number;
  constructor(seconds: number, nanos: number) {
    this.seconds = seconds;
    this.nanos = nanos;
  }
}
