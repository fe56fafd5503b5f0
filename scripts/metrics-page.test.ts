import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CURRENT_MINOR, RELEASES } from '../src/lifecycle/version.ts';
import type { ReleaseMetrics } from './kubernetes/metric-facts.ts';
import { allMetrics, kubernetesMetrics, laterOmitted, metricsPage, reasonOf } from './metrics-page.ts';

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

test('the page gives the reason for every metric of a later release that Keelson does not have', () => {
  const left = laterOmitted();
  assert.ok(left.includes('apiserver_watch_shards_total'));
  assert.deepEqual(
    left.filter((name) => reasonOf(name) === undefined),
    [],
  );
});

test('a metric has the stability, labels, buckets and description that the sources of the served release declare', () => {
  for (const release of RELEASES.filter(({ minor }) => minor >= CURRENT_MINOR)) {
    const path = join(root, `scripts/kubernetes/table/metrics-1.${release.minor}.json`);
    const facts = JSON.parse(readFileSync(path, 'utf8')) as ReleaseMetrics;
    let compared = 0;
    for (const { declaration, bounds } of allMetrics(release)) {
      const { name, stability, labels = [], deprecatedIn, help } = declaration;
      const declared = facts[name];
      if (declared === undefined) continue;
      compared++;
      const told = `${name} of 1.${release.minor}`;
      assert.deepEqual([stability, deprecatedIn], [declared.stability, declared.deprecatedIn], told);
      if (declared.labels !== undefined) assert.deepEqual([...labels].sort(), declared.labels, told);
      if (declared.help !== undefined) assert.equal(help, declared.help, told);
      if (bounds !== undefined && declared.bounds !== undefined) assert.deepEqual(bounds, declared.bounds, told);
    }
    assert.ok(compared > 100);
  }
});

test('a server has no metric that the served release lacks and another one has', () => {
  const tables = RELEASES.filter(({ minor }) => minor >= CURRENT_MINOR).map((release) => {
    const path = join(root, `scripts/kubernetes/table/metrics-1.${release.minor}.json`);
    return { release, facts: JSON.parse(readFileSync(path, 'utf8')) as ReleaseMetrics };
  });
  const known = new Set(tables.flatMap(({ facts }) => Object.keys(facts)));
  for (const { release, facts } of tables) {
    const names = allMetrics(release).map(({ declaration }) => declaration.name);
    assert.deepEqual(
      names.filter((name) => known.has(name) && facts[name] === undefined),
      [],
    );
  }
});
