// Conditional and range requests for documents (RFC 9110), evaluated in the order of Go's http.ServeContent, which
// kube-apiserver uses for its documents, and with the same messages.

import { Buffer } from 'node:buffer';
import { limits } from '../../base/limits.ts';
import type { ResponseHeaders } from '../exchange/transport.ts';
import type { RequestContext } from '../request-context.ts';
import { BytePieces } from '../response/byte-pieces.ts';
import { PieceWriter } from '../response/piece-writer.ts';

interface Content {
  /** Headers of the whole document, with `content-type` unless it is detected, and, if the document has one, `etag`. */
  readonly headers: ResponseHeaders;
  /** The type of the content, where only the content says it: responses without content have none. */
  readonly detectedType?: string;
  /** Time of the last change, in milliseconds. */
  readonly changedMs: number;
  /** Builds the document; not called if the client has it. */
  readonly bytes: () => Promise<BytePieces>;
}

/** Answers a request for a document. */
export async function serveContent(context: RequestContext, content: Content): Promise<void> {
  const { headers: asked, method } = context.exchange;
  const isReading = method === 'GET' || method === 'HEAD';
  const headers: ResponseHeaders = { ...content.headers, 'last-modified': new Date(content.changedMs).toUTCString() };
  const verdict = preconditions(asked, { etag: String(headers['etag']), changedMs: content.changedMs, isReading });
  if (verdict === 'failed') return context.respond(412, headers, undefined);
  if (verdict === 'known') return context.respond(304, ofKnown(headers), undefined);
  if (content.detectedType !== undefined) headers['content-type'] = content.detectedType;
  const bytes = await content.bytes();
  const wanted = rangeHeader(asked, headers, content.changedMs);
  const ranges = parseRanges(wanted, bytes.length);
  if (typeof ranges === 'string') return refuseRange(context, { headers, why: ranges, size: bytes.length });
  headers['accept-ranges'] = 'bytes';
  const total = ranges.reduce((sum, { length }) => sum + length, 0);
  const [first] = ranges;
  // Overlapping ranges that are longer than the document in total are ignored.
  if (first === undefined || total > bytes.length) return respondLong(context, { status: 200, headers, body: bytes });
  if (ranges.length === 1) {
    headers['content-range'] = contentRange(first, bytes.length);
    const body = new BytePieces([...bytes.range(first.start, first.start + first.length)]);
    return respondLong(context, { status: 206, headers, body });
  }
  const type = String(headers['content-type']);
  const boundary = context.services.random.uuid().replaceAll('-', '');
  headers['content-type'] = `multipart/byteranges; boundary=${boundary}`;
  return respondLong(context, { status: 206, headers, body: multipart(bytes, { ranges, boundary, type }) });
}

type Asked = Readonly<Record<string, string | undefined>>;

interface Held {
  readonly etag: string;
  readonly changedMs: number;
  readonly isReading: boolean;
}

/** Evaluates the preconditions: 'known' if the client has the document, 'failed' if a condition is not met. */
function preconditions(asked: Asked, { etag, changedMs, isReading }: Held): 'known' | 'failed' | undefined {
  const changed = Math.floor(changedMs / 1000) * 1000;
  const ifMatch = asked['if-match'];
  const unmodifiedSince = Date.parse(asked['if-unmodified-since'] ?? '');
  if (ifMatch !== undefined && ifMatch !== '') {
    if (!namesTag(ifMatch, etag, (tag) => tag === etag && !tag.startsWith('W/'))) return 'failed';
  } else if (!Number.isNaN(unmodifiedSince) && changed > unmodifiedSince) return 'failed';
  const ifNoneMatch = asked['if-none-match'];
  if (ifNoneMatch !== undefined && ifNoneMatch !== '') {
    const isNamed = namesTag(ifNoneMatch, etag, (tag) => tag.replace(/^W\//, '') === etag.replace(/^W\//, ''));
    return isNamed ? (isReading ? 'known' : 'failed') : undefined;
  }
  const modifiedSince = Date.parse(asked['if-modified-since'] ?? '');
  return isReading && changed <= modifiedSince ? 'known' : undefined;
}

const TAG = /^[ \t,]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")/;

/** Whether a tag of the list matches. The list ends at the first malformed tag. */
function namesTag(list: string, etag: string, fits: (tag: string) => boolean): boolean {
  let rest = list.trim();
  while (rest !== '') {
    if (rest.startsWith('*')) return etag !== '';
    const found = TAG.exec(rest);
    if (found?.[1] === undefined) return /^[ \t,]+\*/.test(rest);
    if (fits(found[1])) return true;
    rest = rest.slice(found[0].length);
    if (/^[ \t,]*\*/.test(rest)) return true;
  }
  return false;
}

/** The headers of a 304 response. */
function ofKnown(headers: ResponseHeaders): ResponseHeaders {
  const { 'content-type': _type, 'content-encoding': _encoding, ...known } = headers;
  if (known['etag'] !== undefined) delete known['last-modified'];
  return known;
}

/** The Range header, or '' if If-Range names another version of the document. */
function rangeHeader(asked: Asked, headers: ResponseHeaders, changedMs: number): string {
  const range = asked['range'] ?? '';
  const condition = asked['if-range'];
  if (range === '' || condition === undefined || condition === '') return range;
  if (/^(?:W\/)?"/.test(condition)) return condition === headers['etag'] ? range : '';
  return Math.floor(changedMs / 1000) * 1000 === Date.parse(condition) ? range : '';
}

interface Range {
  readonly start: number;
  readonly length: number;
}

/** The ranges of a Range header, or the message for an invalid one. */
function parseRanges(header: string, size: number): Range[] | string {
  if (header === '') return [];
  if (!header.startsWith('bytes=')) return 'invalid range';
  const ranges: Range[] = [];
  let isBeyond = false;
  for (const part of header.slice('bytes='.length).split(',', limits.rangesOfRequest + 1)) {
    const text = part.trim();
    if (text === '') continue;
    const found = /^(\d*)[ \t]*-[ \t]*(\d*)$/.exec(text);
    if (found === null || (found[1] === '' && found[2] === '')) return 'invalid range';
    const range = rangeOf(found[1] ?? '', found[2] ?? '', size);
    if (range === undefined) return 'invalid range';
    if (range === 'beyond') isBeyond = true;
    else ranges.push(range);
  }
  if (ranges.length > limits.rangesOfRequest) return [];
  return isBeyond && ranges.length === 0 && size > 0 ? 'invalid range: failed to overlap' : ranges;
}

/** @param first '' for a suffix range: the last `last` bytes */
function rangeOf(first: string, last: string, size: number): Range | 'beyond' | undefined {
  if (first === '') {
    const length = Math.min(Number(last), size);
    return { start: size - length, length };
  }
  const start = Number(first);
  if (start >= size) return 'beyond';
  if (last === '') return { start, length: size - start };
  if (start > Number(last)) return undefined;
  return { start, length: Math.min(Number(last), size - 1) - start + 1 };
}

function contentRange({ start, length }: Range, size: number): string {
  return `bytes ${start}-${start + length - 1}/${size}`;
}

interface Parts {
  readonly ranges: readonly Range[];
  readonly boundary: string;
  readonly type: string;
}

function multipart(bytes: BytePieces, { ranges, boundary, type }: Parts): BytePieces {
  const pieces: Buffer[] = [];
  for (const [index, range] of ranges.entries()) {
    const lines = [
      `${index === 0 ? '' : '\r\n'}--${boundary}`,
      `Content-Range: ${contentRange(range, bytes.length)}`,
      `Content-Type: ${type}`,
      '\r\n',
    ];
    pieces.push(Buffer.from(lines.join('\r\n')), ...bytes.range(range.start, range.start + range.length));
  }
  return new BytePieces([...pieces, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

function refuseRange(context: RequestContext, found: { headers: ResponseHeaders; why: string; size: number }): void {
  const { 'last-modified': _changed, etag: _etag, 'content-encoding': _encoding, ...headers } = found.headers;
  headers['content-type'] = 'text/plain; charset=utf-8';
  headers['x-content-type-options'] = 'nosniff';
  if (found.why.endsWith('overlap')) headers['content-range'] = `bytes */${found.size}`;
  context.respond(416, headers, `${found.why}\n`);
}

interface LongAnswer {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: BytePieces;
}

/** A long body is sent in chunks: encrypting it at once would block other requests. */
async function respondLong(context: RequestContext, { status, headers, body }: LongAnswer): Promise<void> {
  // kube-apiserver compresses while it sends, and so does not know the length.
  if (headers['content-encoding'] === undefined) headers['content-length'] = body.length;
  const isHead = context.exchange.method === 'HEAD';
  if (isHead || body.length <= limits.responsePieceBytes) {
    return context.respond(status, headers, body.joined(0, limits.responsePieceBytes));
  }
  const writer = context.stream(status, headers);
  const turn = context.services.turns.begin(context);
  context.sent(body.length);
  const pieces = new PieceWriter(async (piece) => {
    if (!writer.write(piece)) await writer.drained();
    await turn.over();
    return writer.freesPieces === true;
  });
  for (const piece of body.range()) {
    await pieces.bytes(piece);
  }
  writer.end(pieces.rest());
}
