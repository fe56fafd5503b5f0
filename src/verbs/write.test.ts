import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Reservation } from './allocation.ts';
import type { ResourceRequest } from './resource-request.ts';
import { Write, type WriteContext } from './write.ts';
import { NO_WRITE_OPTIONS } from './write-options.ts';

describe('what a write reserves', () => {
  const told: string[] = [];
  let write: Write;

  beforeEach(() => {
    told.length = 0;
    write = new Write({} as WriteContext, {} as ResourceRequest, NO_WRITE_OPTIONS);
  });

  function reservation(name: string): Reservation {
    return {
      keep: async () => void told.push(`keep ${name}`),
      undo: async () => void told.push(`undo ${name}`),
    };
  }

  it('is kept in the order in which it was taken where the object is stored', async () => {
    write.reserve(reservation('address'));
    write.undoUnlessStored(async () => void told.push('undo quota'));
    write.reserve(reservation('port'));
    await write.endAttempt(true);
    assert.deepEqual(told, ['keep address', 'keep port']);
  });

  it('is undone in the opposite order where the object is not', async () => {
    write.reserve(reservation('address'));
    write.undoUnlessStored(async () => void told.push('undo quota'));
    await write.endAttempt(false);
    assert.deepEqual(told, ['undo quota', 'undo address']);
  });

  it('ends with its attempt: the next begins with nothing, and keeps nobody waiting for nothing', async () => {
    write.reserve(reservation('first'));
    await write.endAttempt(false);
    assert.equal(write.endAttempt(false), undefined);
    write.reserve(reservation('second'));
    await write.endAttempt(true);
    assert.deepEqual(told, ['undo first', 'keep second']);
  });

  it('is undone as a whole even if one part fails, which is reported', async () => {
    write.reserve(reservation('address'));
    write.undoUnlessStored(() => Promise.reject(new Error('the store is gone')));
    await assert.rejects(async () => write.endAttempt(false), /the store is gone/);
    assert.deepEqual(told, ['undo address']);
  });
});

describe('the members that a write gives as empty', () => {
  it('are those of the last decoding: admission may replace the object', () => {
    const write = new Write({} as WriteContext, { definition: { group: '' } } as ResourceRequest, NO_WRITE_OPTIONS);
    write.decodesAnew().empties.push({ path: ['spec', 'ports'], isList: true });
    write.decodesAnew().empties.push({ path: ['spec', 'selector'], isList: false });
    assert.deepEqual(
      write.empties.map(({ path }) => path.join('.')),
      ['spec.selector'],
    );
  });
});
