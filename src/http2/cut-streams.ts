// Streams that the server ended before the client: frames on them may still be in flight, and are ignored.

export class CutStreams {
  readonly #most: number;
  readonly #streams = new Set<number>();

  /** @param most number of remembered streams; the oldest are forgotten */
  constructor(most: number) {
    this.#most = most;
  }

  add(stream: number): void {
    this.#streams.add(stream);
    if (this.#streams.size > this.#most) this.#streams.delete(this.#streams.values().next().value!);
  }

  /** The client has ended the stream too. */
  end(stream: number): void {
    this.#streams.delete(stream);
  }

  /** Whether a frame on the stream may have been in flight; `isLast` for the client's last. */
  excuses(stream: number, isLast: boolean): boolean {
    return isLast ? this.#streams.delete(stream) : this.#streams.has(stream);
  }
}
