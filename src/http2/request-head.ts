// Request pseudo-headers and headers of a header block, validated (RFC 9113, 8.2 and 8.3).

import { headerValues } from '../base/header-values.ts';
import { readTarget } from '../base/request-target.ts';
import type { HeaderField } from './header-table.ts';

export interface RequestHead {
  readonly method: string;
  /** Path and query; empty for CONNECT. */
  readonly path: string;
  /** By lower-case name; of a repeated field, the first value, or all of a list. */
  readonly headers: Readonly<Record<string, string>>;
  /** The fields in their original order, without pseudo fields. */
  readonly fields: readonly HeaderField[];
  /** The length of the body, if announced. */
  readonly contentLength: number | undefined;
}

/** Connection-specific fields, which HTTP/2 forbids. */
const CONNECTION_FIELDS = new Set(['connection', 'proxy-connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** The request; undefined if malformed. */
export function readRequestHead(all: readonly HeaderField[]): RequestHead | undefined {
  const pseudo: Record<string, string | undefined> = {};
  let begin = 0;
  for (; begin < all.length && all[begin]!.name.startsWith(':'); begin++) {
    const { name, value, valid } = all[begin]!;
    if (!valid || !PSEUDO_FIELDS.has(name) || pseudo[name] !== undefined) return undefined;
    pseudo[name] = value;
  }
  const fields = all.slice(begin);
  if (!fields.every(isRegular)) return undefined;
  const headers = headerValues(fields);
  const path = pathOf(pseudo);
  if (path === undefined) return undefined;
  headers['host'] = pseudo[':authority'] ?? headers['host'] ?? '';
  const length = headers['content-length'];
  if (fields.some(({ name, value }) => name === 'content-length' && value !== length)) return undefined;
  if (length !== undefined && !/^\d{1,15}$/.test(length)) return undefined;
  return {
    method: pseudo[':method']!,
    path,
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

/** Path and query of a request, '' for CONNECT; undefined for invalid pseudo-headers. As in Go's server. */
function pathOf(pseudo: Readonly<Record<string, string | undefined>>): string | undefined {
  const { ':method': method, ':scheme': scheme, ':path': path, ':authority': authority = '' } = pseudo;
  if (method === undefined || !TOKEN.test(method) || authority.includes('@')) return undefined;
  if (method === 'CONNECT') return scheme === undefined && path === undefined && authority !== '' ? '' : undefined;
  if ((scheme !== 'https' && scheme !== 'http') || path === undefined) return undefined;
  return readTarget(method, path)?.path;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function isRegular({ name, value, valid }: HeaderField): boolean {
  if (!valid || name.startsWith(':') || CONNECTION_FIELDS.has(name)) return false;
  return name !== 'te' || value === 'trailers';
}
