// Whether a watched file is complete. The beginning of a file that is being written may be a valid configuration with
// fewer rules than intended, so a change takes effect once two consecutive reads agree.

export class SettledText {
  #last: string | undefined;

  /** @param text current content of the file */
  isSettled(text: string): boolean {
    const settled = text === this.#last;
    this.#last = text;
    return settled;
  }
}
