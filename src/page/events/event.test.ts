// Events by clients of both APIs, and of old and new ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latestFirst, observed } from './event.ts';

const metadata = { name: 'a.1', uid: 'u', resourceVersion: '7', creationTimestamp: '2026-01-05T08:00:00Z' };

test('the time of an event is that of its last occurrence, in any of its fields', () => {
  const lastTimestamp = '2026-01-05T08:10:00Z';
  assert.equal(observed({ metadata, lastTimestamp, count: 12 }).time, lastTimestamp);
  assert.equal(observed({ metadata, lastTimestamp, count: 12 }).count, 12);
  const series = { count: 3, lastObservedTime: '2026-01-05T09:00:00.000000Z' };
  const ofSeries = observed({ metadata, lastTimestamp: null, eventTime: lastTimestamp, series });
  assert.deepEqual([ofSeries.time, ofSeries.count], [series.lastObservedTime, 3]);
  assert.equal(
    observed({ metadata, firstTimestamp: metadata.creationTimestamp, lastTimestamp }).since,
    metadata.creationTimestamp,
  );
  assert.equal(observed({ metadata }).time, metadata.creationTimestamp);
});

test('events are sorted by time, the latest first, and then by resourceVersion', () => {
  const at = (name: string, resourceVersion: string, lastTimestamp: string) => ({
    metadata: { ...metadata, name, uid: name, resourceVersion },
    lastTimestamp,
  });
  const events = [
    at('old', '9', '2026-01-05T08:00:00Z'),
    at('first', '3', '2026-01-05T08:10:00Z'),
    at('second', '4', '2026-01-05T08:10:00Z'),
  ];
  assert.deepEqual(
    latestFirst(events).map(({ uid }) => uid),
    ['second', 'first', 'old'],
  );
});
