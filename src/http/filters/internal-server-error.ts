// The response to a request that failed before its handler ran: plain text that names the request, as in
// kube-apiserver.

import { goQuote } from '../../base/go-quote.ts';
import { htmlEntities } from '../../base/html-entities.ts';
import type { RequestContext } from '../request-context.ts';

/** HTML special characters are escaped, because the target comes from the client. */
export function respondInternalServerError(context: RequestContext, why: string): void {
  const text = htmlEntities(`Internal Server Error: ${goQuote(context.exchange.target)}: ${why}\n`);
  context.respond(500, { ...context.headers('text/plain; charset=utf-8'), 'x-content-type-options': 'nosniff' }, text);
}
