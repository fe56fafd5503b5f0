// /metrics and /metrics/slis, compressed for clients that accept gzip with the rules of Prometheus' own handler.

import { Buffer } from 'node:buffer';
import { limits } from '../../base/limits.ts';
import { mergedPages } from '../../lifecycle/merged-pages.ts';
import { metricsContentType } from '../../lifecycle/metrics.ts';
import type { RequestContext } from '../request-context.ts';
import { gzipWhole } from '../response/gzip.ts';

const PATH = '/metrics';
const HEALTH_PATH = '/metrics/slis';

/** @returns false for other paths */
export async function respondMetrics(context: RequestContext, path: string): Promise<boolean> {
  if (path !== PATH && path !== HEALTH_PATH) return false;
  const { metrics, debug, otherThreads } = context.services;
  if (resetsMetrics(context)) {
    if (path === PATH) metrics.reset();
    else metrics.health.reset();
    otherThreads?.changeOthers({ reset: path });
    context.respond(200, context.headers('text/plain; charset=utf-8'), 'metrics reset\n');
    return true;
  }
  const headers = context.headers(metricsContentType);
  headers['process-start-time-unix'] = Math.floor(debug.startedMs / 1000);
  const others = (await otherThreads?.othersMetrics(path)) ?? [];
  const own = path === PATH ? metrics.parts() : [metrics.health.text()];
  const page = await inTurns(others.length === 0 ? own : mergedPages([[...own].join(''), ...others]), context);
  if (!prefersGzip(context.exchange.headers['accept-encoding'] ?? '')) context.respond(200, headers, page);
  else context.respond(200, { ...headers, 'content-encoding': 'gzip' }, await gzipWhole(page));
  return true;
}

/** With --profiling, DELETE sets counters and histograms to zero. */
function resetsMetrics({ services, exchange }: RequestContext): boolean {
  return exchange.method === 'DELETE' && services.debug.tools !== undefined;
}

/** A long text, so other requests run in between. */
async function inTurns(parts: Iterable<string>, context: RequestContext): Promise<Buffer> {
  const turn = context.services.turns.begin(context);
  const pieces: Buffer[] = [];
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length >= limits.responsePieceBytes) {
      pieces.push(Buffer.from(text));
      text = '';
    }
    await turn.over();
  }
  return Buffer.concat([...pieces, Buffer.from(text)]);
}

const CLAUSE = /[ \t]*([^\0-\x20()<>@,;:\\"[\]?={}\x7f]+)[ \t]*(?:;[ \t]*q=([01](?:\.[0-9]*)?)[ \t]*)?(?:,|$)/y;

/** Whether gzip has a higher quality than no encoding. What follows a malformed clause is ignored. @internal */
export function prefersGzip(accepted: string): boolean {
  const clauses: { readonly name: string; readonly quality: number }[] = [];
  CLAUSE.lastIndex = 0;
  while (CLAUSE.lastIndex < accepted.length) {
    const found = CLAUSE.exec(accepted);
    if (found === null) break;
    clauses.push({ name: found[1]!, quality: Number(found[2] ?? 1) });
  }
  const quality = (offer: string) =>
    Math.max(-1, ...clauses.filter(({ name }) => name === '*' || name === offer).map((each) => each.quality));
  return quality('gzip') > Math.max(0, quality('identity'));
}
