import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ManualClock } from '../../base/clock.ts';
import { ByteThrottle } from './byte-throttle.ts';

/** How many bytes have passed after each of so many steps of time. */
async function passed(bytesPerSecond: number, length: number, stepsMs: readonly number[]): Promise<number[]> {
  const clock = new ManualClock();
  const throttle = new ByteThrottle(clock, bytesPerSecond);
  let bytes = 0;
  throttle.on('data', (piece: Buffer) => {
    bytes += piece.length;
  });
  throttle.end(Buffer.alloc(length));
  const found: number[] = [];
  for (const stepMs of [0, ...stepsMs]) {
    clock.advance(stepMs);
    await turn();
    found.push(bytes);
  }
  return found;
}

test('throttled bytes pass as fast as the rate allows, and none is lost at the end', async () => {
  assert.deepEqual(await passed(1_000, 250, [50, 50, 100, 100]), [100, 100, 200, 250, 250]);
  assert.deepEqual(await passed(2, 3, [499, 1, 500, 500]), [1, 1, 2, 3, 3]);
  assert.deepEqual(await passed(1_000, 100, []), [100]);
});

test('a throttle that is destroyed does not wait for its bytes', async () => {
  const clock = new ManualClock();
  const throttle = new ByteThrottle(clock, 10);
  throttle.resume();
  throttle.write(Buffer.alloc(100));
  throttle.destroy();
  await once(throttle, 'close');
  clock.advance(10_000);
  assert.equal(throttle.readableLength, 0);
});
