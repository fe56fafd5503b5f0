import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { FileWrites, type WritableFile } from './file-writes.ts';

/** A file that notes how it was written to. Writes at once take the time given. */
class NotedFile implements WritableFile {
  isRegular = true;
  tookMs = 0;
  most = Number.POSITIVE_INFINITY;
  text = '';
  /** The free bytes of the disk. */
  room = Number.POSITIVE_INFINITY;
  readonly #clock: ManualClock;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  writeNow(bytes: Buffer, from: number): number {
    this.#clock.advance(this.tookMs);
    return this.#write(bytes, from, 'n');
  }

  async writeLater(bytes: Buffer, from: number): Promise<number> {
    return this.#write(bytes, from, 'l');
  }

  #write(bytes: Buffer, from: number, how: string): number {
    const part = bytes.subarray(from, from + Math.min(this.most, this.room));
    if (part.length === 0) throw new Error('ENOSPC');
    this.room -= part.length;
    this.text += how + part.toString();
    return part.length;
  }
}

function setUp() {
  const clock = new ManualClock();
  const file = new NotedFile(clock);
  const writes = new FileWrites(clock);
  return { clock, file, write: (text: string) => writes.write(file, Buffer.from(text)) };
}

suite('writes to an audit log file', () => {
  test('writes to an audit log file are synchronous at first', async () => {
    const { file, write } = setUp();
    const written = write('a');
    assert.equal(file.text, 'na');
    await written;
  });

  test('writes to an audit log file begin on a new line after one that a full disk has truncated', async () => {
    const { file, write } = setUp();
    file.room = 4;
    await assert.rejects(write('{"event":1}\n'), /ENOSPC/);
    await assert.rejects(write('{"event":2}\n'), /ENOSPC/);
    file.room = Number.POSITIVE_INFINITY;
    await write('{"event":3}\n');
    await write('{"event":4}\n');
    assert.equal(file.text.replaceAll(/[nl](?=[{\n])/g, ''), '{"ev\n{"event":3}\n{"event":4}\n');
  });

  test('writes to an audit log file continue where one was truncated', async () => {
    const { file, write } = setUp();
    file.most = 2;
    await write('abcde');
    file.isRegular = false;
    await write('fgh');
    assert.equal(file.text, 'nabncdnelfglh');
  });

  test('writes to an audit log file move to another thread for a while after a slow one', async () => {
    const { clock, file, write } = setUp();
    file.tookMs = limits.auditWriteMs + 1;
    await write('a');
    await write('b');
    clock.advance(999);
    await write('c');
    clock.advance(1);
    await write('d');
    assert.equal(file.text, 'nalblcnd');
  });

  test('writes to an audit log file stay in that thread for longer each time that they are still slow, up to a minute', async () => {
    const { clock, file, write } = setUp();
    file.tookMs = limits.auditWriteMs + 1;
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      await write('.');
      clock.advance(seconds * 1_000 - 1);
      await write('.');
      clock.advance(1);
    }
    assert.equal(file.text, 'n.l.'.repeat(8));
    file.tookMs = 0;
    await write('.');
    file.tookMs = limits.auditWriteMs + 1;
    await write('.');
    clock.advance(1_000);
    await write('.');
    assert.equal(file.text, `${'n.l.'.repeat(8)}n.n.n.`);
  });

  test('writes to an audit log file use the other thread for pipes, and for long ones', async () => {
    const { file, write } = setUp();
    const long = 'x'.repeat(limits.auditWriteBytes + 1);
    await write(long);
    file.isRegular = false;
    await write('a');
    assert.equal(file.text, `l${long}la`);
  });
});
