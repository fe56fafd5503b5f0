// The head of a request, read line by line with the rules of Go's net/http: a malformed line is reported as soon as it
// has arrived, and what concerns the head as a whole at its end.

import { headerValues } from '../base/header-values.ts';
import { withoutLeadingZeros } from '../base/leading-zeros.ts';
import { readTarget, type Target } from '../base/request-target.ts';
import { FieldError, FieldReader, type HeaderField, trimmed } from './fields.ts';
import { badRequest, Refusal } from './refusal.ts';

export interface RequestHead {
  readonly method: string;
  /** The target of the request line, as sent by the client. */
  readonly requestTarget: string;
  /** Path and query. */
  readonly path: string;
  /** Such as `1.1`. */
  readonly version: string;
  /** Whether the client speaks HTTP/1.1 or later. */
  readonly isModern: boolean;
  /** By lower-case name; of a repeated field, the first value, or all of a list. */
  readonly headers: Readonly<Record<string, string>>;
  /** The fields in their original order. */
  readonly fields: readonly HeaderField[];
  /** Whether the client wants to keep the connection. */
  readonly keepsAlive: boolean;
  /** The length of the body, or that it comes in chunks. */
  readonly body: number | 'chunked';
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HOST = /^[A-Za-z0-9!$%&()*+,\-.:;=['\]_~]*$/;
const VERSION = /^HTTP\/([0-9])\.([0-9])$/;

interface RequestLine {
  readonly method: string;
  readonly requestTarget: string;
  readonly target: Target;
  readonly major: number;
  readonly minor: number;
}

export class HeadReader {
  #line: RequestLine | undefined;
  readonly #fields = new FieldReader();

  /** Whether nothing has been read yet. */
  get isEmpty(): boolean {
    return this.#line === undefined;
  }

  /** Takes the next line, without its end; returns the head once it is complete. @throws Refusal */
  line(text: string): RequestHead | undefined {
    if (this.#line === undefined) {
      this.#line = readRequestLine(text);
      return undefined;
    }
    try {
      if (!this.#fields.line(text)) return undefined;
    } catch (error) {
      throw error instanceof FieldError ? badRequest() : error;
    }
    return headOf(this.#line, this.#fields.fields);
  }
}

function readRequestLine(text: string): RequestLine {
  const first = text.indexOf(' ');
  const second = text.indexOf(' ', first + 1);
  if (first < 0 || second < 0) throw badRequest();
  const method = text.slice(0, first);
  const requestTarget = text.slice(first + 1, second);
  const version = VERSION.exec(text.slice(second + 1));
  if (!TOKEN.test(method) || version === null) throw badRequest();
  const target = readTarget(method, requestTarget);
  if (target === undefined) throw badRequest();
  return { method, requestTarget, target, major: Number(version[1]), minor: Number(version[2]) };
}

function headOf(line: RequestLine, fields: readonly HeaderField[]): RequestHead {
  const { method, requestTarget, target, major, minor } = line;
  const isModern = major > 1 || (major === 1 && minor >= 1);
  const hosts = valuesOf(fields, 'host');
  if (hosts.length > 1) throw badRequest();
  const body = bodyOf(fields, isModern);
  const isPreface = isHttp2Preface(line);
  if (major !== 1 && !isPreface) throw new Refusal('505 HTTP Version Not Supported: unsupported protocol version');
  const lacksHost = hosts.length === 0 && isModern && method !== 'CONNECT';
  if (lacksHost && !(isPreface && fields.length === 0)) throw badRequest('missing required Host header');
  if (!HOST.test(hosts[0] ?? '')) throw badRequest('malformed Host header');
  if (fields.some(({ name }) => name.includes(' '))) throw badRequest('invalid header name');
  const headers = headerValues(fields);
  headers['host'] = target.host || (hosts[0] ?? '');
  // Chunks override a length, and handlers do not see the framing.
  delete headers['transfer-encoding'];
  if (body === 'chunked') delete headers['content-length'];
  return {
    ...{ method, requestTarget, path: target.path, version: `${major}.${minor}`, isModern, headers, fields, body },
    keepsAlive: major > 0 && !isPreface && keepsAlive(fields, isModern),
  };
}

/** The beginning of an HTTP/2 connection where HTTP/1.1 was negotiated is served like a request. */
function isHttp2Preface({ method, requestTarget, major, minor }: RequestLine): boolean {
  return method === 'PRI' && requestTarget === '*' && major === 2 && minor === 0;
}

function valuesOf(fields: readonly HeaderField[], name: string): string[] {
  return fields.filter((field) => field.name === name).map(({ value }) => value);
}

function keepsAlive(fields: readonly HeaderField[], isModern: boolean): boolean {
  const values = valuesOf(fields, 'connection');
  // Go looks for words in the first value and for options in all of them.
  const [first = ''] = values;
  if (!isModern) return /(?:^|[ ,\t])keep-alive(?:$|[ ,\t])/i.test(first);
  return !values.some((value) => CLOSES.test(value)) && !/(?:^|[ ,\t])close(?:$|[ ,\t])/i.test(first);
}

/** @throws Refusal for framing that is malformed or not supported */
function bodyOf(fields: readonly HeaderField[], isModern: boolean): number | 'chunked' {
  const encodings = isModern ? valuesOf(fields, 'transfer-encoding') : [];
  const isChunked = encodings.length > 0;
  if (isChunked && (encodings.length > 1 || encodings[0]!.toLowerCase() !== 'chunked')) {
    throw new Refusal('501 Not Implemented', 'Unsupported transfer encoding');
  }
  const lengths = valuesOf(fields, 'content-length').map(trimmed);
  if (lengths.some((each) => each !== lengths[0])) throw badRequest();
  const length = lengths[0] ?? '0';
  if (!/^[0-9]+$/.test(length) || !isInt64(length)) throw badRequest();
  if (!isChunked) return Number(length);
  if (valuesOf(fields, 'trailer').some((value) => NOT_IN_TRAILERS.test(value))) throw badRequest();
  return 'chunked';
}

const MOST_BYTES = 2n ** 63n - 1n;

function isInt64(digits: string): boolean {
  const significant = withoutLeadingZeros(digits);
  return significant.length <= INT64_DIGITS && BigInt(significant) <= MOST_BYTES;
}

const INT64_DIGITS = 19;
/** Items of lists, found without splitting the list. */
const CLOSES = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;
const NOT_IN_TRAILERS = /(?:^|,)[ \t]*(?:transfer-encoding|trailer|content-length)[ \t]*(?:,|$)/i;
