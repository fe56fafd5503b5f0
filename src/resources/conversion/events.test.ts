import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newerEvent } from './events.ts';

test('an event of events.k8s.io has other field names than a core event, and converts there and back', () => {
  const core = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject: { kind: 'Pod', name: 'a' },
    reason: 'Started',
    message: 'it started',
    source: { component: 'kubelet', host: 'n1' },
    firstTimestamp: '2024-01-01T00:00:00Z',
    lastTimestamp: '2024-01-01T00:00:05Z',
    count: 3,
    type: 'Normal',
    eventTime: null,
    reportingComponent: 'example.com/controller',
    reportingInstance: 'controller-1',
  };
  const newer = newerEvent.fromStorage(core);
  assert.deepEqual(newer, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    regarding: { kind: 'Pod', name: 'a' },
    reason: 'Started',
    note: 'it started',
    deprecatedSource: { component: 'kubelet', host: 'n1' },
    deprecatedFirstTimestamp: '2024-01-01T00:00:00Z',
    deprecatedLastTimestamp: '2024-01-01T00:00:05Z',
    deprecatedCount: 3,
    type: 'Normal',
    eventTime: null,
    reportingController: 'example.com/controller',
    reportingInstance: 'controller-1',
  });
  assert.deepEqual(newerEvent.toStorage(newer), core);
});
