// Whether a file that is followed is whole. A file that is being written has a beginning that may be a configuration of its
// own, with fewer rules than its owner means: a change is taken once two looks in a row have found the same text.

export class SettledText {
  #last: string | undefined;

  /** @param text what the file holds now */
  isSettled(text: string): boolean {
    const settled = text === this.#last;
    this.#last = text;
    return settled;
  }
}
