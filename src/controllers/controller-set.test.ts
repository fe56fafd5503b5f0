import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiServiceIndex } from '../aggregator/api-service-index.ts';
import { RemoteDiscovery } from '../aggregator/remote-discovery.ts';
import { RemoteOpenApi } from '../aggregator/remote-openapi.ts';
import { ManualClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { declareAggregatorMetrics } from '../lifecycle/aggregator-metrics.ts';
import { MetricRegistry } from '../lifecycle/metrics.ts';
import { declareWorkQueueMetrics } from '../lifecycle/work-queue-metrics.ts';
import { createCatalog } from '../resources/catalog.ts';
import type { WriteContext } from '../verbs/write.ts';
import { startControllers } from './controller-set.ts';

/** Controllers of a server whose store can't be read. */
function controllersWithoutStore(warned: (controller: unknown) => void) {
  return startControllers({
    fairness: true,
    serviceCidrs: [],
    clock: new ManualClock(),
    log: { ...silentLog, warn: (_, facts) => warned(facts?.['controller']) },
    catalog: createCatalog(),
    writes: {
      registry: { storage: async () => Promise.reject(new Error('no store')), gateEnabled: () => false },
    } as unknown as WriteContext,
    makeToken: () => assert.fail('no token is asked for'),
    controllers: 'namespace-controller,flowschema-status-controller',
    eventTtlMs: 0,
    ownObjects: [],
    authentication: { data: {}, onChange: () => () => {} },
    askApiService: () => assert.fail('nobody is asked'),
    watchApiService: () => assert.fail('nobody is asked'),
    apiServices: new ApiServiceIndex(),
    remoteDiscovery: new RemoteDiscovery(),
    remoteOpenApi: new RemoteOpenApi(),
    aggregatorMetrics: declareAggregatorMetrics(new MetricRegistry()),
    caPem: '',
    server: { hostname: 'a', uuid: 'b' },
    ephemeral: true,
    lives: false,
    cluster: undefined,
    turns: { enter: () => {} },
    queueMetrics: declareWorkQueueMetrics(new MetricRegistry()),
  });
}

test('a controller that cannot start is logged, and the others run', async () => {
  const told: unknown[] = [];
  const set = controllersWithoutStore((controller) => told.push(controller));
  await new Promise(setImmediate);
  assert.deepEqual(told.sort(), ['flowschema-status-controller', 'namespace-controller']);
  await set.stop();
});

test('a controller that cannot start because the server stops is not logged', async () => {
  const set = controllersWithoutStore(() => assert.fail('it is told'));
  await set.stop();
  await new Promise(setImmediate);
});
