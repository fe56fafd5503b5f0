import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHiddenIn, metricIn } from './metric-release.ts';
import { MetricRegistry } from './metrics.ts';

const ALPHA = { help: 'Help.', stability: 'ALPHA' } as const;

function counter(name: string, more: object = {}) {
  return { declaration: { name, ...ALPHA, ...more }, type: 'counter' } as const;
}

test('a metric has the stability and the help text of the release', () => {
  const shown = (minor: number) => {
    const { stability, help } = metricIn(counter('workqueue_adds_total'), minor)?.declaration ?? {};
    return [stability, help];
  };
  assert.deepEqual(shown(34), ['ALPHA', 'Help.']);
  assert.deepEqual(shown(35), ['ALPHA', 'Help.']);
  assert.deepEqual(shown(36), ['BETA', 'Total number of adds handled by workqueue']);
  assert.deepEqual(shown(37), shown(36));
});

test('a metric that a release adds or removes exists only in releases that have it', () => {
  const minors = [24, 34, 35, 36, 37];
  const having = (name: string) => minors.filter((minor) => metricIn(counter(name), minor) !== undefined);
  assert.deepEqual(having('apiserver_websocket_streaming_requests_total'), [36, 37]);
  assert.deepEqual(having('apiserver_request_slo_duration_seconds'), [24, 34, 35, 36]);
  assert.deepEqual(having('apiserver_request_total'), minors);
});

test('a deprecation of a metric is not shown in earlier releases', () => {
  const name = 'apiserver_storage_objects';
  assert.equal(metricIn(counter(name), 34)?.declaration.deprecatedIn, undefined);
  assert.equal(metricIn(counter(name), 35)?.declaration.deprecatedIn, '1.34.0');
  const old = counter('a', { deprecatedIn: '1.31.0' });
  assert.deepEqual(
    [30, 31].map((minor) => metricIn(old, minor)?.declaration.deprecatedIn),
    [undefined, '1.31.0'],
  );
});

test('from 1.35 on a deprecated metric is shown for three releases if stable, for one if beta, and for none if alpha', () => {
  const shown = (stability: 'ALPHA' | 'BETA' | 'STABLE', deprecatedIn: string) =>
    [34, 35, 36, 37].filter((minor) => !isHiddenIn(minor, { ...ALPHA, name: 'a', stability, deprecatedIn }));
  assert.deepEqual(shown('STABLE', '1.34.0'), [34, 35, 36]);
  assert.deepEqual(shown('BETA', '1.35.0'), [34, 35]);
  assert.deepEqual(shown('ALPHA', '1.35.0'), [34]);
  assert.deepEqual(shown('ALPHA', '1.32.0'), [34]);
});

test('labels that a release does not have are removed from metrics', () => {
  const name = 'apiserver_rerouted_request_total';
  const lines = (minor: number) => {
    const registry = new MetricRegistry(undefined, minor);
    const family = registry.counter({ name, ...ALPHA, labels: ['code', 'group', 'version', 'resource'] });
    family.with({ code: '200', group: 'batch', version: 'v1', resource: 'jobs' }).add();
    return registry.text().split('\n')[2];
  };
  assert.equal(lines(34), `${name}{code="200"} 1`);
  assert.equal(lines(35), `${name}{code="200"} 1`);
  assert.equal(lines(36), `${name}{code="200",group="batch",resource="jobs",version="v1"} 1`);
});

test('a histogram has the buckets of the release', () => {
  const bounds = (minor: number) => {
    const registry = new MetricRegistry(undefined, minor);
    const name = 'apiserver_watch_list_duration_seconds';
    registry
      .histogram({ name, ...ALPHA }, [1, 60])
      .with({})
      .observe(2);
    return [...registry.text().matchAll(/le="([\d.]+)"/g)].map(([, bound]) => bound);
  };
  assert.deepEqual([bounds(36).length, bounds(36).at(-1)], [17, '60']);
  assert.equal(bounds(37).length, 25);
  assert.equal(bounds(37).at(-1), '300');
});

test('a metric that the release lacks is neither counted, shown nor hidden', () => {
  const registry = new MetricRegistry(undefined, 37);
  const objects = registry.counter({ name: 'apiserver_storage_list_total', ...ALPHA });
  registry.alias({ name: 'apiserver_request_slo_duration_seconds', ...ALPHA }, 'counter', objects);
  const gone = 'apiserver_storage_db_total_size_in_bytes';
  registry.collected({ name: gone, ...ALPHA, deprecatedIn: '1.28.0' }, 'gauge', () => [{ labels: {}, value: 1 }]);
  registry
    .gauge({ name: 'apiserver_flowcontrol_request_concurrency_limit', ...ALPHA })
    .with({})
    .set(1);
  assert.deepEqual(
    [...registry.declarations()].map(({ name }) => name),
    ['apiserver_storage_list_total'],
  );
  assert.equal(registry.hidden, 0);
});

test('before 1.34 the resource of a metric has its group in its name', () => {
  const lines = (minor: number, name: string, labels: readonly string[]) => {
    const registry = new MetricRegistry(undefined, minor);
    const family = registry.counter({ name, ...ALPHA, labels });
    family.with({ group: 'apps', resource: 'deployments', operation: 'get', index: '' }).add();
    family.with({ group: '', resource: 'pods', operation: 'get', index: '' }).add();
    return registry.text().split('\n').slice(2, 4);
  };
  const stored = 'apiserver_storage_list_total';
  assert.deepEqual(lines(33, stored, ['group', 'resource']), [
    `${stored}{resource="deployments.apps"} 1`,
    `${stored}{resource="pods"} 1`,
  ]);
  assert.equal(lines(34, stored, ['group', 'resource'])[1], `${stored}{group="apps",resource="deployments"} 1`);
  const calls = 'etcd_requests_total';
  assert.equal(
    lines(33, calls, ['group', 'operation', 'resource'])[0],
    `${calls}{operation="get",type="deployments.apps"} 1`,
  );
  const cached = 'apiserver_cache_list_total';
  const [list] = lines(33, cached, ['group', 'index', 'resource']);
  assert.equal(list, `${cached}{index="",resource_prefix="/deployments"} 1`);
});
