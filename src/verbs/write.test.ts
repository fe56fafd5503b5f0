import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Reservation } from './allocation.ts';
import type { ResourceRequest } from './resource-request.ts';
import { Write, type WriteContext } from './write.ts';
import { NO_WRITE_OPTIONS } from './write-options.ts';

describe('the reservations of a write', () => {
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

  it('reservations are kept in their order when the object is stored', async () => {
    write.reserve(reservation('address'));
    write.undoUnlessStored(async () => void told.push('undo quota'));
    write.reserve(reservation('port'));
    await write.endAttempt(true);
    assert.deepEqual(told, ['keep address', 'keep port']);
  });

  it('reservations are undone in reverse order when the object is not stored', async () => {
    write.reserve(reservation('address'));
    write.undoUnlessStored(async () => void told.push('undo quota'));
    await write.endAttempt(false);
    assert.deepEqual(told, ['undo quota', 'undo address']);
  });

  it('reservations end with their attempt, and the next one begins without any', async () => {
    write.reserve(reservation('first'));
    await write.endAttempt(false);
    assert.equal(write.endAttempt(false), undefined);
    write.reserve(reservation('second'));
    await write.endAttempt(true);
    assert.deepEqual(told, ['undo first', 'keep second']);
  });

  it('all reservations are undone even if one of them fails, and the error is reported', async () => {
    write.reserve(reservation('address'));
    write.undoUnlessStored(() => Promise.reject(new Error('the store is gone')));
    await assert.rejects(async () => write.endAttempt(false), /the store is gone/);
    assert.deepEqual(told, ['undo address']);
  });
});

describe('the empty members of a write', () => {
  it('empty members are those of the last decoding, because admission may replace the object', () => {
    const write = new Write({} as WriteContext, { definition: { group: '' } } as ResourceRequest, NO_WRITE_OPTIONS);
    write.decodesAnew().empties.push({ path: ['spec', 'ports'], isList: true });
    write.decodesAnew().empties.push({ path: ['spec', 'selector'], isList: false });
    assert.deepEqual(
      write.empties.map(({ path }) => path.join('.')),
      ['spec.selector'],
    );
  });
});
