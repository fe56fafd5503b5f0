// CSV records (RFC 4180) of a text: fields may be quoted, a quoted one may hold commas, line ends and doubled quotes.
// Empty lines are not records.

interface CsvRecord {
  /** Where the record begins, counted from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** Throws a CsvError where a quote stands in an unquoted field, or a quoted field does not end where it should. */
export function parseCsv(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  const scanner = new Scanner(text.replaceAll('\r\n', '\n'));
  while (!scanner.atEnd) {
    if (scanner.take('\n')) continue;
    const line = scanner.line;
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

class Scanner {
  line = 1;
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
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
    if (field.includes('"')) throw new CsvError(`line ${this.line}: a quote stands in a field that is not quoted`);
    return field;
  }

  #quoted(): string {
    const startLine = this.line;
    let field = '';
    for (;;) {
      const end = this.#text.indexOf('"', this.#at + 1);
      if (end < 0) throw new CsvError(`line ${startLine}: a quoted field does not end`);
      field += this.#text.slice(this.#at + 1, end);
      this.#at = end + 1;
      if (this.#text[this.#at] !== '"') break;
      field += '"';
    }
    this.line += field.split('\n').length - 1;
    if (!this.atEnd && this.#text[this.#at] !== ',' && this.#text[this.#at] !== '\n') {
      throw new CsvError(`line ${this.line}: text follows a quoted field`);
    }
    return field;
  }
}
