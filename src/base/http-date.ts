// The Date header of responses, as text that one listener computes once per second.

export class HttpDate {
  readonly #now: () => number;
  #second = -1;
  #text = '';

  /** @param now returns milliseconds since the Unix epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The current time as the Date header states it, in whole seconds. */
  text(): string {
    const second = Math.floor(this.#now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#text = new Date(second * 1000).toUTCString();
    }
    return this.#text;
  }
}
