// Lanes of a timeline of events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latestFirst } from './event.ts';
import { timelineOf } from './lanes.ts';

const event = (uid: string, name: string, firstTimestamp: string, lastTimestamp: string) => ({
  metadata: { name: uid, uid, resourceVersion: '1' },
  involvedObject: { kind: 'Pod', namespace: 'shop', name },
  ...{ firstTimestamp, lastTimestamp },
});

test('a timeline of events has a lane for each object, the latest first, from the first to the last event', () => {
  const events = latestFirst([
    event('pulled', 'web', '2026-01-05T08:00:00Z', '2026-01-05T08:00:00Z'),
    event('backoff', 'web', '2026-01-05T08:05:00Z', '2026-01-05T08:10:00Z'),
    event('started', 'cart', '2026-01-05T08:20:00Z', '2026-01-05T08:20:00Z'),
    event('early', 'old', '2026-01-05T06:00:00Z', '2026-01-05T06:00:00Z'),
  ]);
  const { from, to, lanes, leftOut } = timelineOf(events, 2);
  assert.deepEqual([to - from, leftOut], [20 * 60_000, 1]);
  assert.deepEqual(
    lanes.map(({ subject, marks }) => [subject.name, ...marks.map((mark) => [mark.event.uid, mark.from, mark.to])]),
    [
      ['cart', ['started', 1, 1]],
      ['web', ['backoff', 0.25, 0.5], ['pulled', 0, 0]],
    ],
  );
});

test('a timeline of events at one moment lasts a minute, and one without events has no lanes', () => {
  const at = '2026-01-05T08:00:00Z';
  const { from, to, lanes } = timelineOf(latestFirst([event('one', 'web', at, at)]), 9);
  assert.deepEqual([to - from, lanes[0]?.marks[0]?.to], [60_000, 1]);
  assert.deepEqual(timelineOf([], 9).lanes, []);
});
