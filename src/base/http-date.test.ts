import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpDate } from './http-date.ts';

test('the Date header has the second of the clock, also after the clock was set back', () => {
  let nowMs = Date.UTC(2026, 0, 2, 3, 4, 5, 999);
  const date = new HttpDate(() => nowMs);
  assert.equal(date.text(), 'Fri, 02 Jan 2026 03:04:05 GMT');
  nowMs += 1;
  assert.equal(date.text(), 'Fri, 02 Jan 2026 03:04:06 GMT');
  nowMs -= 2_000;
  assert.equal(date.text(), 'Fri, 02 Jan 2026 03:04:04 GMT');
});
