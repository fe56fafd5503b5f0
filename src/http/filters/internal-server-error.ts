// The response to a request that failed before its handler ran: plain text that names the request, as in
// kube-apiserver.

import { goQuote } from '../../base/go-quote.ts';
import { htmlEntities } from '../../base/html-entities.ts';
import type { ResponseHeaders } from '../exchange/transport.ts';
import type { RequestContext } from '../request-context.ts';

/**
 * HTML special characters are escaped, because the target comes from the client.
 * @param outer the response headers, for requests that fail before the other headers are set
 */
export function respondInternalServerError(context: RequestContext, why: string, outer?: ResponseHeaders): void {
  const text = htmlEntities(`Internal Server Error: ${goQuote(context.exchange.target)}: ${why}\n`);
  const headers = outer ?? context.headers(undefined);
  const plain = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
  context.respond(500, { ...headers, ...plain }, text);
}
