// Lists in flags, as in Kubernetes: one CSV record, in which quotes protect commas.

/**
 * The fields of the first record of a text, which ends at an unquoted line break.
 *
 * @throws Error with the message of Go's CSV reader
 */
export function csvFields(text: string): string[] {
  const record = text.replaceAll('\r\n', '\n').replace(/^\n+/, '');
  if (record === '') throw new Error('EOF');
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const { field, end } = record[at] === '"' ? quotedField(record, at) : plainField(record, at);
    fields.push(field);
    if (record[end] !== ',') return fields;
    at = end + 1;
  }
}

interface Read {
  readonly field: string;
  /** The position of the comma, the line break or the end of the text. */
  readonly end: number;
}

function plainField(record: string, start: number): Read {
  const length = record.slice(start).search(/[,\n]/);
  const end = length < 0 ? record.length : start + length;
  const field = record.slice(start, end);
  const quote = field.indexOf('"');
  if (quote >= 0) throw new Error(`${place(record, start + quote)}: bare " in non-quoted-field`);
  return { field, end };
}

function quotedField(record: string, start: number): Read {
  let at = start + 1;
  for (;;) {
    const quote = record.indexOf('"', at);
    if (quote < 0) throw new Error(`${place(record, record.length)}: extraneous or missing " in quoted-field`);
    const next = record[quote + 1];
    if (next === '"') {
      at = quote + 2;
      continue;
    }
    if (next === undefined || next === ',' || next === '\n') {
      return { field: record.slice(start + 1, quote).replaceAll('""', '"'), end: quote + 1 };
    }
    throw new Error(`${place(record, quote)}: extraneous or missing " in quoted-field`);
  }
}

/** Columns count bytes, from 1. */
function place(record: string, index: number): string {
  const lines = record.slice(0, index).split('\n');
  const column = Buffer.byteLength(lines.at(-1) ?? '') + 1;
  const from = lines.length === 1 ? '' : 'record on line 1; ';
  return `${from}parse error on line ${lines.length}, column ${column}`;
}
