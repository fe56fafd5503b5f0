// Parser for PEM (RFC 7468) like Go's encoding/pem: blocks with their headers and bytes. All checks use this parser,
// because content that only some of them could read might pass unchecked.

export interface PemBlock {
  /** `CERTIFICATE`, `RSA PRIVATE KEY` … */
  readonly type: string;
  readonly hasHeaders: boolean;
  /** The bytes, one character each. */
  readonly bytes: string;
}

const BEGIN = '-----BEGIN ';
const END = '\n-----END ';
const LINE_END = '-----';
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The blocks of a text; text around them and invalid blocks are skipped. */
export function pemBlocks(text: string): PemBlock[] {
  const found: PemBlock[] = [];
  let from = 0;
  for (let end = text.indexOf(END); end >= 0; end = text.indexOf(END, from)) {
    // Of several BEGIN lines the last one before an END counts.
    const begin = text.slice(from, end).lastIndexOf(BEGIN);
    const block = begin < 0 ? undefined : blockAt(text, { start: from, begin: from + begin, end });
    if (block !== undefined) found.push(block);
    from = block === undefined ? end + END.length : lineAt(text, end + 1).next;
  }
  return found;
}

/** The block whose first line is at `begin`; nothing before `start` is considered. */
function blockAt(
  text: string,
  { start, begin, end }: { readonly start: number; readonly begin: number; readonly end: number },
): PemBlock | undefined {
  if (begin > start && text[begin - 1] !== '\n') return undefined;
  const first = lineAt(text, begin + BEGIN.length);
  if (!first.line.endsWith(LINE_END)) return undefined;
  const type = first.line.slice(0, -LINE_END.length);
  const body = endOfHeaders(text, first.next, end);
  if (body > end + 1 || (body > first.next && body > end)) return undefined;
  if (lineAt(text, end + END.length).line !== `${type}${LINE_END}`) return undefined;
  const encoded = text.slice(body, Math.max(body, end)).replace(/[ \t\r\n]/g, '');
  if (encoded.length % 4 !== 0 || !BASE64.test(encoded)) return undefined;
  return { type, hasHeaders: body > first.next, bytes: atob(encoded) };
}

/** The end of the header lines, which contain a colon. */
function endOfHeaders(text: string, start: number, limit: number): number {
  let at = start;
  while (at <= limit) {
    const { line, next } = lineAt(text, at);
    if (!line.includes(':')) break;
    at = next;
  }
  return at;
}

/** A line without trailing blanks, and the start of the next one. */
function lineAt(text: string, start: number): { readonly line: string; readonly next: number } {
  const newline = text.indexOf('\n', start);
  let end = newline < 0 ? text.length : newline;
  if (newline > start && text[end - 1] === '\r') end--;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
  return { line: text.slice(start, end), next: newline < 0 ? text.length : newline + 1 };
}
