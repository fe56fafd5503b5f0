import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allMetrics, kubernetesMetrics, metricsPage, reasonOf } from './metrics-page.ts';

const root = join(import.meta.dirname, '..');
const own = new Map(allMetrics().map((metric) => [metric.declaration.name, metric]));
const theirs = Object.entries(kubernetesMetrics());

test('docs/metrics.md is current; `node scripts/metrics-page.ts` makes it so', () => {
  assert.equal(readFileSync(join(root, 'docs/metrics.md'), 'utf8'), metricsPage());
});

test('every stable and beta metric of kube-apiserver is there', () => {
  const firm = theirs.filter(([, { stability }]) => stability !== 'ALPHA');
  assert.ok(firm.length > 30);
  assert.deepEqual(
    firm.filter(([name]) => !own.has(name)).map(([name]) => name),
    [],
  );
});

test('a metric that kube-apiserver has, too, has its type, stability, labels and buckets', () => {
  for (const [name, { type, stability, labels, buckets }] of theirs) {
    const metric = own.get(name);
    if (metric === undefined) continue;
    assert.deepEqual([metric.type, metric.declaration.stability], [type, stability], name);
    if (labels !== undefined) assert.deepEqual([...(metric.declaration.labels ?? [])].sort(), labels, name);
    if (buckets !== undefined) assert.deepEqual(metric.bounds, buckets, name);
  }
});

test('of every alpha metric that is left out the page says why', () => {
  const left = theirs.filter(([name]) => !own.has(name)).map(([name]) => name);
  assert.deepEqual(
    left.filter((name) => reasonOf(name) === undefined),
    [],
  );
});
