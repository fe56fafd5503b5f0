import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { limits } from '../../base/limits.ts';
import { serverOptions } from '../options.ts';
import { shareOfLimits, shareOfOptions } from './shares.ts';

suite('the shares of serving threads', () => {
  test('the limits of memory and connections of the process are divided among the threads, those of a client are not', () => {
    const share = shareOfLimits(3);
    for (const name of ['unsentBytes', 'waitingHandshakes', 'waitingHandshakeBytes', 'keptFormBytes'] as const) {
      assert.equal(share[name], Math.ceil(limits[name] / 3), name);
    }
    assert.equal(share.connectionUnsentBytes, limits.connectionUnsentBytes);
    assert.deepEqual(shareOfLimits(1), limits);
  });

  test('the throttles of audit backends are divided among the threads, requests in flight are not', () => {
    const given = { maxRequestsInFlight: 100, auditWebhookBatchThrottleQps: 5 };
    const share = shareOfOptions(serverOptions({ ...given, servingThreads: 2 }));
    assert.equal(share.maxRequestsInFlight, 100);
    assert.equal(share.auditWebhookBatchThrottleQps, 2.5);
    assert.equal(share.auditWebhookBatchThrottleBurst, 8);
    assert.equal(share.auditWebhookBatchBufferSize, 5_000);
  });

  test('a limit that is not valid for the process is not valid for a thread', () => {
    const options = { ...serverOptions({}), servingThreads: 4, auditLogBatchThrottleBurst: -1 };
    assert.equal(shareOfOptions(options).auditLogBatchThrottleBurst, -1);
  });
});
