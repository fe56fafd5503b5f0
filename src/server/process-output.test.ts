import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { LogLevels } from './log-levels.ts';
import { serverOptions } from './options.ts';
import { processLog } from './process-log.ts';
import { fileSink, ProcessOutput, streamSink } from './process-output.ts';

/** A disk with room for some bytes, and then errors. */
class Disk {
  text = '';
  room = Number.POSITIVE_INFINITY;
  code = 'ENOSPC';

  write = (bytes: Buffer, from: number): number => {
    const count = Math.min(this.room, bytes.length - from);
    if (count === 0) throw Object.assign(new Error(`${this.code}: write`), { code: this.code });
    this.text += bytes.toString('utf8', from, from + count);
    this.room -= count;
    return count;
  };
}

describe('standard output and standard error', () => {
  for (const code of ['ENOSPC', 'EIO', 'EDQUOT', 'EPIPE', 'EFBIG']) {
    it(`standard output and standard error lose an entry on ${code} without an error, and report the loss once output is possible`, () => {
      const disk = new Disk();
      const err = new ProcessOutput('stderr', fileSink(disk.write));
      const out = new ProcessOutput('stdout', fileSink(disk.write));
      for (const loggingFormat of ['text', 'json']) {
        const options = serverOptions({ loggingFormat });
        const log = processLog(options, {
          clock: new ManualClock(),
          levels: new LogLevels(options),
          outputs: { out, err },
        });
        Object.assign(disk, { text: '', room: 0, code });
        const before = err.failures;
        log.info('one');
        log.error('two');
        assert.equal(err.failures - before, 2);
        disk.room = Number.POSITIVE_INFINITY;
        log.info('three');
        const lines = disk.text.trimEnd().split('\n');
        assert.equal(lines.length, 2);
        assert.match(lines[0]!, /three/);
        assert.match(lines[1]!, new RegExp(`output was lost because it could not be written.*stderr.*2.*${code}`));
        log.info('four');
        assert.equal(disk.text.trimEnd().split('\n').length, 3);
      }
    });
  }

  it('standard output and standard error continue on a new line after a partial entry', () => {
    const disk = new Disk();
    const output = new ProcessOutput('stderr', fileSink(disk.write));
    disk.room = 4;
    output.put('first line\n');
    disk.room = Number.POSITIVE_INFINITY;
    output.put('second line\n');
    output.put('third line\n');
    assert.equal(disk.text, 'firs\nsecond line\nthird line\n');
  });

  it('standard output and standard error report a failure to a writer that waits, as for audit events', async () => {
    const disk = new Disk();
    const output = new ProcessOutput('stdout', fileSink(disk.write));
    await output.write(['a\n', 'b\n']);
    disk.room = 0;
    await assert.rejects(output.write(['c\n']), /ENOSPC/);
    assert.deepEqual([disk.text, output.failures, output.lost], ['a\nb\n', 1, { writes: 1, error: 'ENOSPC: write' }]);
  });

  it('standard output and standard error do not end the process when the reader of a pipe has gone', async () => {
    const gone = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('EPIPE: write'), { code: 'EPIPE' })),
    });
    const output = new ProcessOutput('stderr', streamSink(gone));
    await assert.rejects(output.write(['a\n']), /EPIPE/);
    assert.equal(output.failures, 1);
  });
});
