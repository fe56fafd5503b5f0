// The thread that owns the embedded store's file. It does what it is told, one request after another, and answers each
// with one reply; a commit is answered when it is on the disk.

import { parentPort, workerData } from 'node:worker_threads';
import { EmbeddedFile, type EmbeddedFileOptions } from './embedded-file.ts';
import { decodeRows } from './log-rows.ts';

/** `rows` is a block of rows. */
export interface CommitRequest {
  readonly kind: 'commit';
  readonly rows: ArrayBuffer;
  readonly released: Float64Array;
  readonly compacted: number;
}

export type WorkerRequest = CommitRequest | { readonly kind: 'read' } | { readonly kind: 'close' };

/** Rows of the log, column by column. A value of null is a deletion. The values are handed over, not copied. */
export interface RowsReply {
  readonly kind: 'rows';
  readonly revisions: number[];
  readonly timesMs: number[];
  readonly keys: string[];
  readonly values: (ArrayBuffer | null)[];
}

/** 'rows' come before the 'done' of a read. 'opened' answers the start of the thread. */
export type WorkerReply =
  | { readonly kind: 'opened'; readonly compacted: number }
  | RowsReply
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly message: string };

/** How many rows go into one reply. */
const ROWS_AT_ONCE = 200;

const port = parentPort!;

function reply(message: WorkerReply, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

/** Does `work`; an error is sent as the reply. */
function answer(work: () => void): void {
  try {
    work();
  } catch (error) {
    reply({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

function read(file: EmbeddedFile): void {
  const empty = (): RowsReply => ({ kind: 'rows', revisions: [], timesMs: [], keys: [], values: [] });
  const send = (rows: RowsReply): void =>
    reply(
      rows,
      rows.values.filter((value) => value !== null),
    );
  let rows = empty();
  for (const { revision, timeMs, key, value } of file.rows()) {
    rows.revisions.push(revision);
    rows.timesMs.push(timeMs);
    rows.keys.push(Buffer.from(key.buffer).toString());
    rows.values.push(value === undefined ? null : value.buffer);
    if (rows.keys.length < ROWS_AT_ONCE) continue;
    send(rows);
    rows = empty();
  }
  send(rows);
}

function serve(file: EmbeddedFile, request: WorkerRequest): void {
  switch (request.kind) {
    case 'read':
      read(file);
      break;
    case 'commit':
      file.commit({ rows: decodeRows(request.rows), released: request.released, compacted: request.compacted });
      break;
    case 'close':
      file.close();
      break;
  }
  reply({ kind: 'done' });
}

answer(() => {
  const file = new EmbeddedFile(workerData as EmbeddedFileOptions);
  port.on('message', (request: WorkerRequest) => answer(() => serve(file, request)));
  reply({ kind: 'opened', compacted: file.compacted });
});
