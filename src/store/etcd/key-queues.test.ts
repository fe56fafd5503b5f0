import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, it } from 'node:test';
import type { Expected, WriteResult } from '../store.ts';
import { KeyQueues } from './key-queues.ts';

const ofText = (text: string) => Buffer.from(text);

/** One key in etcd that counts how often it is asked. */
class OneKey {
  asked = 0;
  readonly #queues = new KeyQueues();
  #current: { value: Buffer; revision: number } | undefined;
  #revision = 10;

  put(text: string, expected: Expected): Promise<WriteResult> {
    const value = ofText(text);
    return this.#queues.run({ key: 'a', value, expected }, async () => this.#decide(value, expected));
  }

  delete(expected: Expected): Promise<WriteResult> {
    return this.#queues.run({ key: 'a', value: undefined, expected }, async () => this.#decide(undefined, expected));
  }

  fail(): Promise<WriteResult> {
    return this.#queues.run({ key: 'a', value: undefined, expected: 'any' }, () => Promise.reject(new Error('away')));
  }

  #decide(value: Buffer | undefined, expected: Expected): WriteResult {
    this.asked += 1;
    const current = this.#current;
    if (expected !== 'any' && (expected === 'absent' ? 0 : expected) !== (current?.revision ?? 0)) {
      return { written: false, current: current && { key: 'a', ...current } };
    }
    this.#revision += 1;
    this.#current = value && { value, revision: this.#revision };
    return { written: true, revision: this.#revision, previous: undefined };
  }
}

const revisionOf = (result: WriteResult) => (result.written ? result.revision : result.current?.revision);

describe('concurrent writes of one key in etcd', () => {
  it('concurrent writes of one key in etcd that lose to another write of this process learn the current entry without asking etcd', async () => {
    const etcd = new OneKey();
    assert.equal(revisionOf(await etcd.put('first', 'absent')), 11);
    const [won, lost, alsoLost, deletion] = await Promise.all([
      etcd.put('second', 11),
      etcd.put('third', 11),
      etcd.put('fourth', 11),
      etcd.delete(11),
    ]);
    assert.ok(won.written);
    const current = { key: 'a', value: ofText('second'), revision: 12 };
    for (const each of [lost, alsoLost, deletion]) assert.deepEqual(each, { written: false, current });
    assert.equal(etcd.asked, 2);
    assert.ok((await etcd.put('fifth', 12)).written);
  });

  it('concurrent writes of one key in etcd are decided by etcd after a deletion or a failure, or without an expected revision', async () => {
    const etcd = new OneKey();
    await etcd.put('first', 'absent');
    const [deleted, missed] = await Promise.all([etcd.delete(11), etcd.put('second', 11)]);
    assert.deepEqual([deleted.written, missed.written], [true, false]);
    const [made, any, failure, again] = await Promise.allSettled([
      etcd.put('third', 'absent'),
      etcd.put('fourth', 'any'),
      etcd.fail(),
      etcd.put('fifth', 14),
    ]);
    const written = [made, any, again].map((each) => each.status === 'fulfilled' && each.value.written);
    assert.deepEqual(written, [true, true, true]);
    assert.equal(failure.status, 'rejected');
    assert.equal(etcd.asked, 6);
  });
});
