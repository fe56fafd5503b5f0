import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../base/limits.ts';
import type { RequestContext } from '../http/request-context.ts';
import { RequestLog } from './request-log.ts';

const context = (name: string) =>
  ({
    info: { verb: 'get', group: '', version: 'v1', resource: 'pods', subresource: '', namespace: '', name },
    user: { name: 'u' },
    exchange: { method: 'GET', target: `/${name}`, headers: {} },
    ...{ startMs: 0, status: 200, services: { clock: { now: () => 5 } } },
  }) as unknown as RequestContext;

test('the request log holds the newest requests and the number of older ones', () => {
  const log = new RequestLog();
  for (let at = 0; at < limits.testRequests + 3; at++) {
    const request = context(String(at));
    log.begins(request);
    log.over(request);
  }
  const kept = log.list();
  assert.deepEqual([kept.length, kept[0]?.name, log.dropped], [limits.testRequests, '3', 3]);
  assert.equal(kept[0]?.durationMs, 5);
  log.clear();
  assert.equal(log.dropped, 0);
});
