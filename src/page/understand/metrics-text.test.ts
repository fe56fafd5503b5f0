import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bound, parseMetrics, sumBy } from './metrics-text.ts';

const all = (): boolean => true;

test('metric samples have a name, labels in any order and a value, and other lines are ignored', () => {
  const text = '# HELP a text\n# TYPE a counter\na{x="1",y="two"} 3\n\na{y="two",} 4.5e+06 1700000000000\nb 7';
  const metrics = parseMetrics(text, all);
  assert.deepEqual(metrics.get('a'), [
    { labels: { x: '1', y: 'two' }, value: 3 },
    { labels: { y: 'two' }, value: 4_500_000 },
  ]);
  assert.deepEqual(metrics.get('b'), [{ labels: {}, value: 7 }]);
});

test('values of metric labels may have quotes, backslashes, line breaks and braces', () => {
  const metrics = parseMetrics('a{x="say \\"}\\" \\\\ \\n, y=\\"1\\""} 1\n', all);
  assert.deepEqual(metrics.get('a'), [{ labels: { x: 'say "}" \\ \n, y="1"' }, value: 1 }]);
});

test('infinities and NaN are values of metrics, and a line without a value is ignored', () => {
  const metrics = parseMetrics('a +Inf\na -Inf\na NaN\na\na{x="1" 4\na{x="1"} many\n', all);
  assert.deepEqual(
    metrics.get('a')?.map(({ value }) => value),
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN],
  );
  assert.equal(bound({ labels: { le: '+Inf' }, value: 1 }), Number.POSITIVE_INFINITY);
});

test('only requested metrics are parsed', () => {
  const metrics = parseMetrics('a 1\nab 2\nb 3\n', (name) => name.startsWith('a'));
  assert.deepEqual([...metrics.keys()], ['a', 'ab']);
});

test('metric samples are summed by a key, and those without it are ignored', () => {
  const metrics = parseMetrics('a{k="x",l="1"} 1\na{k="x",l="2"} 2\na{k="y"} 4\na{l="1"} 8\n', all);
  assert.deepEqual(
    [...sumBy(metrics.get('a'), ({ k }) => k)],
    [
      ['x', 3],
      ['y', 4],
    ],
  );
  assert.equal(sumBy(undefined, () => 'x').size, 0);
});
