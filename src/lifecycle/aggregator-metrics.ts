// Metrics of the aggregation layer, with kube-apiserver's names and labels.

import type { MetricRegistry } from './metrics.ts';

export type AggregatorMetrics = ReturnType<typeof declareAggregatorMetrics>;

const RESOURCE = ['group', 'version', 'resource'] as const;

type ReroutedResource = Readonly<Record<(typeof RESOURCE)[number], string>>;

export function declareAggregatorMetrics(registry: MetricRegistry) {
  const unavailable = new Map<string, boolean>();
  const changes = registry.counter({
    name: 'aggregator_unavailable_apiservice_total',
    help: 'Number of times APIServices became unavailable, by reason.',
    stability: 'ALPHA',
    labels: ['name', 'reason'],
  });
  registry.collected(
    {
      name: 'aggregator_unavailable_apiservice',
      help: 'Whether an APIService is unavailable.',
      stability: 'ALPHA',
      labels: ['name'],
      sharedByThreads: true,
    },
    'gauge',
    () => unavailable.entries().map(([name, is]) => ({ labels: { name }, value: is ? 1 : 0 })),
  );
  const documents = registry
    .counter({
      name: 'aggregator_discovery_aggregation_count_total',
      help: 'Number of times the aggregated discovery document was built.',
      stability: 'ALPHA',
    })
    .with({});
  const nopeer = registry.counter({
    name: 'aggregator_discovery_nopeer_requests_total',
    help: 'Number of requests for the discovery document without what only peers serve.',
    stability: 'ALPHA',
  });
  const mergedHits = registry.counter({
    name: 'aggregator_discovery_peer_aggregated_cache_hits_total',
    help: 'Number of times the discovery document was served that was merged with those of peers before.',
    stability: 'ALPHA',
  });
  const mergedMisses = registry.counter({
    name: 'aggregator_discovery_peer_aggregated_cache_misses_total',
    help: 'Number of times the discovery document was merged with those of peers.',
    stability: 'ALPHA',
  });
  const rerouted = registry.counter({
    name: 'apiserver_rerouted_request_total',
    help: 'Number of requests that were forwarded to a peer because this server does not serve the resource.',
    stability: 'ALPHA',
    labels: ['code', ...RESOURCE],
  });
  const peerErrors = registry.counter({
    name: 'apiserver_peer_proxy_errors_total',
    help: 'Number of requests that could not be forwarded to a peer, by reason.',
    stability: 'ALPHA',
    labels: ['type', ...RESOURCE],
  });
  return {
    /** Records that a request was forwarded to another server on the same store. */
    rerouted({ group, version, resource }: ReroutedResource, status: number): void {
      rerouted.with({ group, version, resource, code: String(status) }).add();
    },
    /** Records that no server with a resource has an address. */
    peerUnlocated({ group, version, resource }: ReroutedResource): void {
      peerErrors.with({ group, version, resource, type: 'endpoint_resolution' }).add();
    },
    /** Records that the discovery document was built. */
    discoveryMade(): void {
      documents.add();
    },
    /** Records a request for the document without what only peers serve. */
    nopeerRequest(): void {
      nopeer.with({}).add();
    },
    /** Records a request for the document with what peers serve, and whether it had been merged before. */
    mergedRequest(isKnown: boolean): void {
      (isKnown ? mergedHits : mergedMisses).with({}).add();
    },
    /** Records the availability of an APIService. */
    observed(name: string, isAvailable: boolean): void {
      unavailable.set(name, !isAvailable);
    },
    /** It was available before. */
    becameUnavailable(name: string, reason: string): void {
      changes.with({ name, reason }).add();
    },
    gone(name: string): void {
      unavailable.delete(name);
    },
  };
}
