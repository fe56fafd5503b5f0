// Cross-origin requests (CORS of the Fetch standard): the origins whose scripts may use the API, and the headers that
// tell browsers so. Headers and their values are kube-apiserver's.

import { compilePattern, type Pattern } from '../../schema/structural/pattern.ts';
import type { ResponseHeaders } from '../exchange/transport.ts';

const ALLOWED = {
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-allow-headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-expose-headers': 'Date',
  'access-control-allow-credentials': 'true',
};

export class AllowedOrigins {
  readonly #patterns: readonly Pattern[];

  /** @param patterns in RE2's syntax, matched anywhere in an origin @throws PatternError */
  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.map(compilePattern);
  }

  /** Response headers for a cross-origin request; undefined for origins that are not allowed. */
  headersFor(origin: string | undefined): ResponseHeaders | undefined {
    if (origin === undefined || origin === '') return undefined;
    if (!this.#patterns.some((pattern) => pattern.test(origin))) return undefined;
    return { 'access-control-allow-origin': origin, ...ALLOWED };
  }
}
