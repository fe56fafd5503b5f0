// Request metrics and their labels, as in kube-apiserver: only requests that reach a handler of an API are counted.
// Unauthenticated and forbidden requests and unknown paths are covered by other metrics.

import { limits } from '../../base/limits.ts';
import { lookup } from '../../base/lookup.ts';
import type { Gauge } from '../../lifecycle/metrics.ts';
import { type RequestMetrics, type RequestOutcome, RequestSeries } from '../../lifecycle/request-metrics.ts';
import type { Catalog } from '../../resources/catalog.ts';
import { isApply } from '../body/patch-type.ts';
import type { RequestContext } from '../request-context.ts';
import { isLongRunning, LATE } from './deadlines.ts';

interface CountsNeeds {
  readonly metrics: { readonly requests: RequestMetrics };
  readonly catalog: Catalog;
}

export class RequestCounts {
  readonly #needs: CountsNeeds;
  readonly #series = new Map<string, RequestSeries>();

  constructor(needs: CountsNeeds) {
    this.#needs = needs;
  }

  /** Counts a request that has ended. Rejected requests are counted for any path. */
  over(context: RequestContext, outcome: RequestOutcome): void {
    // A client that leaves before the response ends the request like a timeout; long-running requests have none.
    const isForsaken = context.isForsaken && !isLongRunning(context.info);
    if (isForsaken) this.terminated(context, LATE.code);
    if (isForsaken || context.isLate) this.#noteAfterTimeout(context);
    if (context.isRejected) {
      this.#labelled(context).refused(outcome.code);
      this.terminated(context, outcome.code);
    } else if (context.counted !== undefined) this.#labelled(context).observe(outcome);
  }

  /** Counts a request that ended after it was abandoned; for a write, also its outcome. */
  #noteAfterTimeout({ mutating, counted, hasFailed }: RequestContext): void {
    const { afterTimeout } = this.#needs.metrics.requests;
    afterTimeout.with({ source: 'timeout-handler', status: 'ok' }).add();
    if (!mutating || counted !== 'resource') return;
    afterTimeout.with({ source: 'rest-handler', status: hasFailed ? 'error' : 'ok' }).add();
  }

  /** Counts a long-running request. @returns the gauge to decrement when it ends */
  opened(context: RequestContext): Gauge {
    return this.#labelled(context).opened();
  }

  /** Counts a request that was ended to protect the server. */
  terminated(context: RequestContext, code: number): void {
    const { isResource, path } = context.info;
    const labels = this.#labelled(context).labels;
    const place = isResource ? labels : { ...labels, subresource: path };
    this.#needs.metrics.requests.terminations.with({ ...place, code: String(code) }).add();
  }

  /** Counts a response that was aborted. */
  aborted(context: RequestContext): void {
    this.#labelled(context).aborted();
  }

  #labelled(context: RequestContext): RequestSeries {
    const { info, counted, query } = context;
    const dryRun = query.empty ? '' : dryRunLabel(query.text('dryRun'));
    const verb = verbOf(context);
    const path = typeof counted === 'object' ? counted : undefined;
    const { component, subresource } = path ?? { component: 'apiserver', subresource: info.subresource };
    const scope = scopeOf(info);
    const { group, version, resource } = info;
    const found = this.#needs.catalog.lookup(group, version, resource);
    // Routes count the size of a watch, as that of a list.
    const hasRoutes = found?.definition.codec.hasRoutes ?? true;
    const sized = !info.oldWatch && SIZED.has(verb) && (verb !== 'WATCH' || hasRoutes);
    const key = `${verb} ${group} ${version} ${resource} ${subresource} ${scope} ${component} ${dryRun} ${sized}`;
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const served = counted !== undefined || found !== undefined;
    const named = { group, version, resource, subresource, scope };
    const labels = { verb, component, ...(served ? named : NO_PLACE) };
    const series = new RequestSeries(this.#needs.metrics.requests, labels, { dryRun, sized });
    if (this.#series.size < limits.metricSeries) this.#series.set(key, series);
    return series;
  }
}

/** Counts a request for an unavailable aggregated server. */
export function countUnavailable(context: RequestContext, code: number): void {
  const { info, services } = context;
  const { group, version, resource, isResource, path } = info;
  services.metrics.requests.terminations
    .with({
      ...{ verb: verbOf(context), group, version, resource, scope: scopeOf(info) },
      subresource: isResource ? info.subresource : path,
      component: 'aggregator',
      code: String(code),
    })
    .add();
}

/** Names of resources that are not served are not counted, because there may be any number of them. */
const NO_PLACE = { group: '', version: '', resource: '', subresource: '', scope: '' };
/** Verbs whose response sizes are recorded. */
const SIZED: ReadonlySet<string> = new Set(['GET', 'LIST', 'WATCH']);

const CONNECTS: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** The verb of a request in metrics and in the log. */
export function verbOf(context: RequestContext): string {
  const { verb, subresource } = context.info;
  if (subresource !== '' && CONNECTS.has(subresource)) return 'CONNECT';
  if (verb === 'patch' && isApply(context)) return 'APPLY';
  return VERBS[verb] ?? 'other';
}

/** A create concerns a single object, whatever its path. */
function scopeOf({ isResource, name, namespace, verb }: RequestContext['info']): string {
  if (name !== '' || (isResource && verb === 'create')) return 'resource';
  if (namespace !== '') return 'namespace';
  return isResource ? 'cluster' : '';
}

function dryRunLabel(value: string): string {
  return value === '' || value === 'All' ? value : 'invalid';
}

const VERBS: Record<string, string> = lookup({
  get: 'GET',
  head: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  post: 'POST',
  update: 'PUT',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
});
