// The thread that owns the embedded store's file. It executes one request after another and answers each with one
// reply; a commit is answered when it is on disk.

import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../base/error-message.ts';
import { limits } from '../base/limits.ts';
import { CommitMailbox } from './commit-mailbox.ts';
import { EmbeddedFile, type EmbeddedFileOptions } from './embedded-file.ts';
import { readCommit } from './log-rows.ts';
import { StoreStalledError } from './store.ts';

export interface WorkerData {
  readonly file: EmbeddedFileOptions;
  /** The memory of requests. */
  readonly mailbox: SharedArrayBuffer;
}

/** Rows of the log, column by column. A null value is a deletion. The values are transferred, not copied. */
export interface RowsReply {
  readonly kind: 'rows';
  readonly revisions: number[];
  readonly timesMs: number[];
  readonly keys: string[];
  readonly values: (ArrayBuffer | null)[];
}

/**
 * 'rows' precede the 'done' of a read. 'opened' answers the start of the thread. Commits are answered in the mailbox.
 */
export type WorkerReply =
  | { readonly kind: 'opened'; readonly compacted: number }
  | RowsReply
  | { readonly kind: 'done' }
  /** `stalled`: nothing of the commit is on disk, and the next one may succeed. */
  | { readonly kind: 'failed'; readonly message: string; readonly stalled: boolean };

const port = parentPort!;

function reply(message: WorkerReply, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

/** Runs `work` and sends its error as the reply. */
function answer(work: () => void): void {
  try {
    work();
  } catch (error) {
    const message = messageOf(error);
    reply({ kind: 'failed', message, stalled: error instanceof StoreStalledError });
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
    if (rows.keys.length < limits.storeReplyRows) continue;
    send(rows);
    rows = empty();
  }
  send(rows);
}

/** Answers requests until one of them ends the thread. */
function serve(file: EmbeddedFile, mailbox: CommitMailbox): void {
  for (;;) {
    const { kind, content } = mailbox.take();
    if (kind === 'close') {
      answer(() => {
        file.close();
        reply({ kind: 'done' });
      });
      return;
    }
    answer(() => {
      if (kind === 'commit') {
        file.commit(readCommit(content));
        mailbox.finish();
      } else {
        read(file);
        reply({ kind: 'done' });
      }
    });
  }
}

answer(() => {
  const { file: options, mailbox } = workerData as WorkerData;
  const file = new EmbeddedFile(options);
  reply({ kind: 'opened', compacted: file.compacted });
  serve(file, new CommitMailbox(mailbox));
});
