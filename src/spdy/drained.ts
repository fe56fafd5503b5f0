// The wait for room in a stream that is written to.

import type { Writable } from 'node:stream';

/** Resolves when more may be written to a stream, or nothing any more. */
export function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || !stream.writableNeedDrain) return resolve();
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}
