// Offsets in a text: the parser uses indexes of UTF-16 units, its callers offsets of code points.

/** Turns indexes of UTF-16 units into offsets of code points. */
export class CodePointOffsets {
  /** The text's length in code points. */
  readonly length: number;
  /** The offset of each unit; absent where the two are the same. */
  readonly #offsets: Uint32Array | undefined;
  readonly #units: number;

  constructor(text: string) {
    this.#units = text.length;
    if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) {
      this.length = text.length;
      return;
    }
    const offsets = new Uint32Array(text.length + 1);
    let offset = 0;
    for (let unit = 0; unit < text.length; offset++) {
      const width = (text.codePointAt(unit) as number) > 0xffff ? 2 : 1;
      offsets.fill(offset, unit, unit + width);
      unit += width;
    }
    offsets[text.length] = offset;
    this.#offsets = offsets;
    this.length = offset;
  }

  at(unit: number): number {
    if (this.#units === 0) {
      // An empty text has no first column.
      return -1;
    }
    return this.#offsets === undefined ? unit : (this.#offsets[unit] as number);
  }
}
