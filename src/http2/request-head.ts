// Request pseudo-headers and headers of a header block, validated (RFC 9113, 8.2 and 8.3).

import type { HeaderField } from './header-table.ts';

export interface RequestHead {
  readonly method: string;
  /** Path and query, as sent by the client; empty for CONNECT. */
  readonly path: string;
  /** By lower-case name; values of a repeated field are joined, or the first is used if only one is allowed. */
  readonly headers: Readonly<Record<string, string>>;
  /** The fields in their original order, without pseudo fields. */
  readonly fields: readonly HeaderField[];
  /** The length of the body, if announced. */
  readonly contentLength: number | undefined;
}

/** An object without inherited properties that is as fast to read as any. */
class Headers {
  [name: string]: string;
  static {
    Reflect.deleteProperty(Headers.prototype, 'constructor');
    Object.setPrototypeOf(Headers.prototype, null);
  }
}

/** Connection-specific fields, which HTTP/2 forbids. */
const CONNECTION_FIELDS = new Set(['connection', 'proxy-connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** Fields with a single value: a second one is ignored, as in node:http. */
const SINGLE_FIELDS = new Set([
  'authorization',
  'content-type',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'user-agent',
]);

/** The request; undefined if malformed. */
export function readRequestHead(all: readonly HeaderField[]): RequestHead | undefined {
  const pseudo: Record<string, string | undefined> = {};
  const headers = new Headers();
  let begin = 0;
  for (; begin < all.length && all[begin]!.name.startsWith(':'); begin++) {
    const { name, value, valid } = all[begin]!;
    if (!valid || !PSEUDO_FIELDS.has(name) || pseudo[name] !== undefined) return undefined;
    pseudo[name] = value;
  }
  const fields = all.slice(begin);
  for (const field of fields) if (!isRegular(field) || !add(headers, field)) return undefined;
  const authority = pseudo[':authority'] ?? headers['host'];
  if (authority === undefined || !hasTarget(pseudo)) return undefined;
  headers['host'] = authority;
  const length = headers['content-length'];
  if (length !== undefined && !/^\d{1,15}$/.test(length)) return undefined;
  return {
    method: pseudo[':method']!,
    path: pseudo[':path'] ?? '',
    headers,
    fields,
    contentLength: length === undefined ? undefined : Number(length),
  };
}

/** Whether fields may be trailers. */
export function areTrailers(fields: readonly HeaderField[]): boolean {
  return fields.every((field) => isRegular(field));
}

const PSEUDO_FIELDS = new Set([':method', ':scheme', ':authority', ':path']);

function hasTarget({ ':method': method, ':scheme': scheme, ':path': path }: Record<string, string | undefined>) {
  if (method === undefined || !TOKEN.test(method)) return false;
  if (method === 'CONNECT') return scheme === undefined && path === undefined;
  if (scheme === undefined || path === undefined) return false;
  return path.startsWith('/') || (path === '*' && method === 'OPTIONS');
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function isRegular({ name, value, valid }: HeaderField): boolean {
  if (!valid || name.startsWith(':') || CONNECTION_FIELDS.has(name)) return false;
  return name !== 'te' || value === 'trailers';
}

/** Whether the field is compatible with the previous ones. */
function add(headers: Record<string, string>, { name, value }: HeaderField): boolean {
  const before = headers[name];
  if (before === undefined) headers[name] = value;
  else if (name === 'content-length') return before === value;
  else if (!SINGLE_FIELDS.has(name)) headers[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
  return true;
}
