// /metrics and /metrics/slis, as text or protobuf, compressed for clients that accept gzip, with the rules of Prometheus'
// own handler.

import { Buffer } from 'node:buffer';
import { parseAccept } from '../../api/media-type.ts';
import { limits } from '../../base/limits.ts';
import { mergedFamilies, mergedPages } from '../../lifecycle/merged-pages.ts';
import type { RequestContext } from '../request-context.ts';
import { gzipWhole } from '../response/gzip.ts';
import { metricMessage } from './metric-messages.ts';

const PATH = '/metrics';
const HEALTH_PATH = '/metrics/slis';
const TEXT_VERSION = '0.0.4';

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
  const { isProtobuf, contentType } = metricsFormat(context.exchange.headers.accept ?? '');
  const headers = context.headers(contentType);
  headers['process-start-time-unix'] = Math.floor(debug.startedMs / 1000);
  const others = (await otherThreads?.othersMetrics(path, isProtobuf)) ?? [];
  const own = path === PATH ? metrics.parts(isProtobuf) : [metrics.health.text()];
  const pages: Pages = { own, others, shared: path === PATH ? metrics.shared() : metrics.health.shared() };
  const page = await inTurns(isProtobuf ? messages(pages) : texts(pages), context);
  if (!prefersGzip(context.exchange.headers['accept-encoding'] ?? '')) context.respond(200, headers, page);
  else context.respond(200, { ...headers, 'content-encoding': 'gzip' }, await gzipWhole(page));
  return true;
}

/** The pages of the serving threads. */
interface Pages {
  readonly own: Iterable<string>;
  readonly others: readonly string[];
  /** The names of metrics that all of them tell alike. */
  readonly shared: ReadonlySet<string>;
}

function texts({ own, others, shared }: Pages): Iterable<string> {
  return others.length === 0 ? own : mergedPages([[...own].join(''), ...others], shared);
}

function messages({ own, others, shared }: Pages): Iterable<Uint8Array> {
  return Iterator.from(mergedFamilies([[...own].join(''), ...others], shared)).map(metricMessage);
}

const MESSAGE_TYPE = 'application/vnd.google.protobuf';
const MESSAGE = 'io.prometheus.client.MetricFamily';
const ESCAPINGS = ['allow-utf-8', 'underscores', 'dots', 'values'];

/**
 * The form of a page for a client: that of the first media type, by preference, which is one of the two, else text. How
 * names are to be escaped is only repeated, because none of them needs it.
 *
 * @internal
 */
export function metricsFormat(accept: string): { readonly isProtobuf: boolean; readonly contentType: string } {
  let escaping = 'underscores';
  for (const { type, subtype, parameters } of parseAccept(accept)) {
    const asked = parameters.get('escaping') ?? '';
    if (ESCAPINGS.includes(asked)) escaping = asked;
    if (`${type}/${subtype}` === MESSAGE_TYPE && parameters.get('proto') === MESSAGE) {
      if (parameters.get('encoding') !== 'delimited') continue;
      const contentType = `${MESSAGE_TYPE}; proto=${MESSAGE}; encoding=delimited; escaping=${escaping}`;
      return { isProtobuf: true, contentType };
    }
    const version = parameters.get('version') ?? '';
    if (type === 'text' && subtype === 'plain' && (version === TEXT_VERSION || version === '')) break;
  }
  return {
    isProtobuf: false,
    contentType: `text/plain; version=${TEXT_VERSION}; charset=utf-8; escaping=${escaping}`,
  };
}

/** With --profiling, DELETE sets counters and histograms to zero. */
function resetsMetrics({ services, exchange }: RequestContext): boolean {
  return exchange.method === 'DELETE' && services.debug.tools !== undefined;
}

/** A long page, so other requests run in between. */
async function inTurns(parts: Iterable<string | Uint8Array>, context: RequestContext): Promise<Buffer> {
  const turn = context.services.turns.begin(context);
  const pieces: Uint8Array[] = [];
  let text = '';
  for (const part of parts) {
    if (typeof part !== 'string') pieces.push(part);
    else text += part;
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
