import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ApiObject, JsonObject } from '../../../api/object.ts';
import { bestStrategy, isCandidateExpired, isLeaseExpired, oldestCandidate } from './election.ts';

const OLDEST = 'OldestEmulationVersion';

function candidate(name: string, emulationVersion: string, binaryVersion: string, more: JsonObject = {}): ApiObject {
  const { creationTimestamp = '2026-01-01T00:00:00Z', ...spec } = more;
  return {
    metadata: { name, creationTimestamp: String(creationTimestamp) },
    spec: { emulationVersion, binaryVersion, strategy: OLDEST, ...spec },
  };
}

const nameOf = (...candidates: ApiObject[]) => oldestCandidate(candidates)?.metadata.name;

suite('coordinated leader election', () => {
  test('the candidate with the oldest emulation version is chosen, then that with the oldest binary', () => {
    assert.equal(nameOf(candidate('a', '1.20.0', '1.20.0'), candidate('b', '1.19.0', '1.20.0')), 'b');
    assert.equal(nameOf(candidate('a', '1.19.0', '1.20.0'), candidate('b', '1.19.0', '1.19.0')), 'b');
    assert.equal(nameOf(candidate('a', '1.19.10', '1.20.0'), candidate('b', '1.19.9', '1.20.0')), 'b');
  });

  test('the LeaseCandidate that was created first is chosen among those with equal versions', () => {
    const later = { creationTimestamp: '2026-01-01T00:00:01Z' };
    assert.equal(nameOf(candidate('a', '1.19.0', '1.20.0', later), candidate('b', '1.19.0', '1.20.0')), 'b');
  });

  test('a candidate without valid versions is not chosen', () => {
    assert.equal(nameOf(candidate('a', '', '1.20.0'), candidate('b', '1.20', '1.20.0')), undefined);
  });

  test('the strategy is that of the newest binary', () => {
    const own = candidate('b', '1.20.0', '1.20.0', { strategy: 'example.com/own' });
    assert.equal(bestStrategy([candidate('a', '1.19.0', '1.19.0'), own]), 'example.com/own');
    assert.equal(bestStrategy([own, candidate('a', '1.20.0', '1.21.0')]), OLDEST);
  });

  test('candidates with the same binary version must agree on the strategy', () => {
    const own = candidate('b', '1.20.0', '1.20.0', { strategy: 'example.com/own' });
    const message =
      'candidates "a", "b" at same binary version but received differing strategies OldestEmulationVersion, example.com/own';
    assert.throws(() => bestStrategy([candidate('a', '1.19.0', '1.20.0'), own]), { message });
  });

  test('a Lease expires after its duration, a LeaseCandidate after half an hour', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    const object = (renewTime: string, more = {}): ApiObject => ({ metadata: {}, spec: { renewTime, ...more } });
    const seconds = { leaseDurationSeconds: 5 };
    assert.equal(isLeaseExpired(object('2025-12-31T23:59:55.000000Z', seconds), now), false);
    assert.equal(isLeaseExpired(object('2025-12-31T23:59:54.999000Z', seconds), now), true);
    assert.equal(isLeaseExpired(object('2025-12-31T23:59:59Z'), now), true);
    assert.equal(isCandidateExpired(object('2025-12-31T23:30:00Z'), now), false);
    assert.equal(isCandidateExpired(object('2025-12-31T23:29:59Z'), now), true);
  });
});
