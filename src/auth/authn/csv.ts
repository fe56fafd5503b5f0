// CSV records (RFC 4180): quoted fields may contain commas, line breaks and doubled quotes. Empty lines are not
// records.

interface CsvRecord {
  /** The line of the record, counted from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/**
 * Throws a CsvError with Go's message for a quote in an unquoted field, or a quoted field that does not end properly.
 */
export function parseCsv(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  const scanner = new Scanner(text.replaceAll('\r\n', '\n'));
  while (!scanner.atEnd) {
    if (scanner.take('\n')) continue;
    const line = scanner.beginRecord();
    const fields = [scanner.field()];
    while (scanner.take(',')) fields.push(scanner.field());
    scanner.take('\n');
    records.push({ line, fields });
  }
  return records;
}

export class CsvError extends Error {
  override name = 'CsvError';
}

const MISPLACED = 'extraneous or missing " in quoted-field';

class Scanner {
  line = 1;
  readonly #text: string;
  #at = 0;
  /** The line on which the record began. */
  #recordLine = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Begins a record. @returns its line */
  beginRecord(): number {
    this.#recordLine = this.line;
    return this.line;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  take(character: ',' | '\n'): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    if (character === '\n') this.line++;
    return true;
  }

  field(): string {
    return this.#text[this.#at] === '"' ? this.#quoted() : this.#plain();
  }

  #plain(): string {
    const start = this.#at;
    while (!this.atEnd && this.#text[this.#at] !== ',' && this.#text[this.#at] !== '\n') this.#at++;
    const field = this.#text.slice(start, this.#at);
    const quote = field.indexOf('"');
    if (quote >= 0) throw this.#fault(start + quote, 'bare " in non-quoted-field');
    return field;
  }

  #quoted(): string {
    let field = '';
    for (;;) {
      const end = this.#text.indexOf('"', this.#at + 1);
      if (end < 0) throw this.#fault(this.#text.length, MISPLACED);
      field += this.#text.slice(this.#at + 1, end);
      this.#at = end + 1;
      if (this.#text[this.#at] !== '"') break;
      field += '"';
    }
    this.line += field.split('\n').length - 1;
    if (!this.atEnd && this.#text[this.#at] !== ',' && this.#text[this.#at] !== '\n') {
      throw this.#fault(this.#at - 1, MISPLACED);
    }
    return field;
  }

  /** A line break belongs to its line. */
  #fault(at: number, what: string): CsvError {
    const before = this.#text.slice(0, at);
    const begins = before.lastIndexOf('\n', at - 2) + 1;
    const line = this.#text.slice(0, begins).split('\n').length;
    const where = `parse error on line ${line}, column ${Buffer.byteLength(before.slice(begins)) + 1}: ${what}`;
    return new CsvError(line === this.#recordLine ? where : `record on line ${this.#recordLine}; ${where}`);
  }
}
