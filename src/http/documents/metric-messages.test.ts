import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergedFamilies } from '../../lifecycle/merged-pages.ts';
import { MetricRegistry } from '../../lifecycle/metrics.ts';
import { metricMessage } from './metric-messages.ts';

function messagesOf(...registries: MetricRegistry[]): string[] {
  const pages = registries.map((registry) => registry.text(true));
  return [...mergedFamilies(pages, new Set())].map((family) => Buffer.from(metricMessage(family)).toString('hex'));
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}

/** A double, as it is in a message. */
function double(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes.toString('hex');
}

test('a counter is a message with its name, description and labels', () => {
  const registry = new MetricRegistry();
  const family = registry.counter({ name: 'a_total', help: 'A "b"\n\\.', stability: 'ALPHA', labels: ['x', 'y'] });
  family.with({ x: 'a"b,\\c\n', y: '' }).add(3);
  const labels = `0a0c0a017812 07${hex('a"b,\\c\n')}0a050a0179 1200`;
  const metric = `${labels}1a0909${double(3)}`.replaceAll(' ', '');
  const body = `0a07${hex('a_total')}1210${hex('[ALPHA] A "b"\n\\.')}180022${(metric.length / 2).toString(16)}${metric}`;
  assert.deepEqual(messagesOf(registry), [`${(body.length / 2).toString(16)}${body}`]);
});

test('a histogram is a message with its buckets but the last, and with those of its native one', () => {
  const metric = (nativeHistograms: boolean) => {
    const registry = new MetricRegistry({ disabled: [], allowedLabels: {}, nativeHistograms });
    const histogram = registry.histogram({ name: 'h', help: 'H.', stability: 'ALPHA' }, [1, 5]).with({});
    for (const value of [1, 1, 1.2, 64, 0]) histogram.observe(value);
    return registry;
  };
  const classic = `080511${double(67.2)}1a0b080311${double(1)}1a0b080411${double(5)}`;
  // Buckets 0 and 3, two empty ones between them, and 48.
  const native = `280631${double(2 ** -128)}380162040800100462040858100168046803680068026800`;
  assert.match(messagesOf(metric(false))[0]!, new RegExp(`${classic}$`));
  const [withNative = ''] = messagesOf(metric(true));
  assert.equal(withNative.includes(classic), true);
  assert.deepEqual(withNative.slice(withNative.indexOf(classic) + classic.length), native);
});

test('native histograms of serving threads are added up', () => {
  const [one, two, both] = [[1], [1, 4], [1, 1, 4]].map((values) => {
    const registry = new MetricRegistry({ disabled: [], allowedLabels: {}, nativeHistograms: true });
    const family = registry.histogram({ name: 'h', help: 'H.', stability: 'ALPHA', labels: ['l'] }, [1, 5]);
    for (const value of values) family.with({ l: 'a b' }).observe(value);
    return registry;
  }) as [MetricRegistry, MetricRegistry, MetricRegistry];
  assert.deepEqual(messagesOf(one, two), messagesOf(both));
});

test('the text of metrics does not tell native histograms', () => {
  const registry = new MetricRegistry({ disabled: [], allowedLabels: {}, nativeHistograms: true });
  registry.histogram({ name: 'h', help: 'H.', stability: 'ALPHA' }, [1]).with({}).observe(1);
  assert.doesNotMatch(registry.text(), /NATIVE/);
});
