// Cross-origin requests (the Fetch standard's CORS protocol): which origins' scripts may use the API, and what browsers
// are told of it. The headers and their values are kube-apiserver's.

import { compilePattern, type Pattern } from '../schema/structural/pattern.ts';
import type { ResponseHeaders } from './transport.ts';

const ALLOWED = {
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-allow-headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-expose-headers': 'Date',
  'access-control-allow-credentials': 'true',
};

export class AllowedOrigins {
  readonly #patterns: readonly Pattern[];

  /** @param patterns in RE2's syntax, found anywhere in an origin @throws PatternError */
  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.map(compilePattern);
  }

  /** What a browser is told that sends a script's request; undefined for origins that are not allowed. */
  headersFor(origin: string | undefined): ResponseHeaders | undefined {
    if (origin === undefined || origin === '') return undefined;
    if (!this.#patterns.some((pattern) => pattern.test(origin))) return undefined;
    return { 'access-control-allow-origin': origin, ...ALLOWED };
  }
}
