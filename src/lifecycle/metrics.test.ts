import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../base/limits.ts';
import { formatNumber } from './metric-text.ts';
import { MetricRegistry } from './metrics.ts';

test('counters, gauges and histograms are written in text format, sorted, with stability and type', () => {
  const registry = new MetricRegistry();
  const requests = registry.counter({
    name: 'requests_total',
    help: 'Requests.',
    stability: 'STABLE',
    labels: ['verb', 'code'],
  });
  requests.with({ verb: 'GET', code: '404' }).add();
  requests.with({ verb: 'GET', code: '200' }).add(2);
  requests.with({ verb: 'GET', code: '200' }).add();
  registry.gauge({ name: 'open', help: 'Open ones.', stability: 'ALPHA', deprecatedIn: '1.34.0' }).with({}).set(-1.5);
  const sizes = registry.histogram({ name: 'sizes', help: 'Sizes.', stability: 'BETA', labels: ['verb'] }, [1, 1e6]);
  for (const size of [0.5, 1, 2, 3e6]) sizes.with({ verb: 'GET' }).observe(size);
  assert.equal(
    registry.text(),
    `# HELP open [ALPHA] (Deprecated since 1.34.0) Open ones.
# TYPE open gauge
open -1.5
# HELP requests_total [STABLE] Requests.
# TYPE requests_total counter
requests_total{code="200",verb="GET"} 3
requests_total{code="404",verb="GET"} 1
# HELP sizes [BETA] Sizes.
# TYPE sizes histogram
sizes_bucket{verb="GET",le="1"} 2
sizes_bucket{verb="GET",le="1e+06"} 3
sizes_bucket{verb="GET",le="+Inf"} 4
sizes_sum{verb="GET"} 3.0000035e+06
sizes_count{verb="GET"} 4
`,
  );
});

test('a metric without labels reads 0 from the start, one with labels is absent until it has a series', () => {
  const registry = new MetricRegistry();
  registry.counter({ name: 'plain_total', help: 'Plain.', stability: 'ALPHA' });
  registry.counter({ name: 'labelled_total', help: 'Labelled.', stability: 'ALPHA', labels: ['a'] });
  assert.match(registry.text(), /^plain_total 0$/m);
  assert.doesNotMatch(registry.text(), /labelled_total/);
});

test('the metrics page is written in parts of one series, so that other work can run', () => {
  const registry = new MetricRegistry();
  const family = registry.counter({ name: 'a_total', help: 'A.', stability: 'ALPHA', labels: ['n'] });
  for (let n = 0; n < 100; n++) family.with({ n: String(n) }).add();
  assert.equal([...registry.parts()].length, 101);
});

test('label values and help texts are escaped', () => {
  const registry = new MetricRegistry();
  registry
    .counter({ name: 'odd_total', help: 'a\\b\n"c"', stability: 'ALPHA', labels: ['path'] })
    .with({ path: 'a\\b\n"c"' })
    .add();
  assert.match(registry.text(), /^# HELP odd_total \[ALPHA\] a\\\\b\\n"c"$/m);
  assert.match(registry.text(), /^odd_total\{path="a\\\\b\\n\\"c\\""\} 1$/m);
});

test('the same labels give the same series of a metric', () => {
  const family = new MetricRegistry().counter({ name: 'a', help: 'A.', stability: 'ALPHA', labels: ['x', 'y'] });
  assert.equal(family.with({ x: '1', y: '2' }), family.with({ y: '2', x: '1' }));
  assert.notEqual(family.with({ x: '1', y: '2' }), family.with({ x: '12', y: '' }));
});

test('beyond the limit new labels of a metric share one series and are counted', () => {
  const registry = new MetricRegistry();
  const family = registry.counter({ name: 'users_total', help: 'Users.', stability: 'ALPHA', labels: ['user'] });
  for (let user = 0; user < limits.metricSeries; user++) family.with({ user: String(user) }).add();
  family.with({ user: 'one more' }).add();
  family.with({ user: 'and another' }).add();
  family.with({ user: '7' }).add();
  assert.equal(registry.overflows, 2);
  assert.match(registry.text(), /^users_total\{user="unexpected"\} 2$/m);
  assert.match(registry.text(), /^users_total\{user="7"\} 2$/m);
  assert.equal(registry.text().split('\n').length, limits.metricSeries + 1 + 3);
});

test('collected metrics are read at every scrape, and series that have gone disappear', () => {
  const registry = new MetricRegistry();
  let objects: Record<string, number> = { pods: 3, nodes: 1 };
  registry.collected({ name: 'objects', help: 'Objects.', stability: 'ALPHA', labels: ['resource'] }, 'gauge', () =>
    Object.entries(objects).map(([resource, value]) => ({ labels: { resource }, value })),
  );
  assert.match(registry.text(), /^objects\{resource="nodes"\} 1\nobjects\{resource="pods"\} 3\n$/m);
  objects = { pods: 4 };
  assert.match(registry.text(), /^objects\{resource="pods"\} 4$/m);
  assert.doesNotMatch(registry.text(), /nodes/);
});

test('the name of a metric is declared once', () => {
  const registry = new MetricRegistry();
  registry.counter({ name: 'a', help: 'A.', stability: 'ALPHA' });
  assert.throws(() => registry.gauge({ name: 'a', help: 'A.', stability: 'ALPHA' }), /metric a is declared twice/);
});

test('numbers of metrics are written as by Go', () => {
  const cases: [value: number, text: string][] = [
    [0, '0'],
    [100000, '100000'],
    [999999.5, '999999.5'],
    [1e6, '1e+06'],
    [123456789, '1.23456789e+08'],
    [0.0001, '0.0001'],
    [0.00001234, '1.234e-05'],
    [-2e100, '-2e+100'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
    [Number.NaN, 'NaN'],
  ];
  for (const [value, text] of cases) assert.equal(formatNumber(value), text);
});

test('a disabled metric is omitted and counted, and a label has only its allowed values', () => {
  const registry = new MetricRegistry({ disabled: ['gone', 'unknown'], allowedLabels: { 'kept,verb': 'GET,PUT' } });
  registry.gauge({ name: 'gone', help: 'Gone.', stability: 'ALPHA' }).with({}).set(1);
  const kept = registry.counter({ name: 'kept', help: 'Kept.', stability: 'ALPHA', labels: ['verb', 'code'] });
  for (const verb of ['GET', 'PUT', 'TRACE', 'WHO']) kept.with({ verb, code: '1' }).add();
  const text = registry.text();
  assert.doesNotMatch(text, /gone/);
  assert.deepEqual(text.match(/verb="\w+"\} \d/g), ['verb="GET"} 1', 'verb="PUT"} 1', 'verb="unexpected"} 2']);
  assert.deepEqual([registry.disabled, registry.hidden, registry.overflows], [2, 1, 2]);
});

test('a deprecated metric is marked, and hidden after three releases unless the operator shows it', () => {
  const lines = (rules: { showsHidden?: boolean; disabled?: string[] }) => {
    const told: string[] = [];
    const registry = new MetricRegistry({
      ...{ disabled: [], allowedLabels: {}, ...rules },
      warn: (message) => told.push(message),
    });
    const family = registry.counter({ name: 'now', help: 'Help.', stability: 'STABLE' });
    for (const [name, deprecatedIn] of [
      ['lately', '1.32.0'],
      ['ago', '1.31.0'],
    ] as const) {
      registry.alias({ name, help: 'Help.', stability: 'STABLE', deprecatedIn }, 'counter', family);
    }
    family.with({}).add(2);
    return { text: registry.text(), told, hidden: registry.hidden, declared: [...registry.declarations()].length };
  };
  const now = lines({});
  assert.match(
    now.text,
    /# HELP lately \[STABLE\] \(Deprecated since 1\.32\.0\) Help\.\n# TYPE lately counter\nlately 2\n/,
  );
  assert.doesNotMatch(now.text, /ago/);
  assert.deepEqual([now.hidden, now.declared], [1, 2]);
  assert.deepEqual(now.told, ['The metric lately has been deprecated since 1.32.0']);
  const shown = lines({ showsHidden: true });
  assert.match(shown.text, /\nago 2\n|^# HELP ago/);
  assert.equal(shown.hidden, 0);
  assert.equal(
    shown.told[1],
    'Hidden metrics (ago) have been manually overridden, showing this very deprecated metric.',
  );
  assert.equal(lines({ showsHidden: true, disabled: ['ago'] }).hidden, 1, 'who leaves a metric out means it');
});
