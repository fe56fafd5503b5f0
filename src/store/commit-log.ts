// The durable log of the embedded store, as seen from the main thread: a worker thread waits for the disk.

import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../base/error-message.ts';
import { CommitMailbox, type RequestKind } from './commit-mailbox.ts';
import type { EmbeddedFileOptions } from './embedded-file.ts';
import type { RowsReply, WorkerData, WorkerReply } from './embedded-worker.ts';
import { type Commit, commitLength, writeCommit } from './log-rows.ts';
import { StoreError, StoreStalledError } from './store.ts';
import type { TimedWrite } from './timeline.ts';

/**
 * One call at a time: the next may be made when the previous one has settled, and a commit as soon as `ready` is true.
 */
export interface CommitLog {
  /** The revision after which all writes are in the log, as of opening it. */
  readonly compacted: number;
  /** Passes all writes in the log to `onWrite`, in the order of their revisions. Must be the first call, made once. */
  read(onWrite: (write: TimedWrite) => void): Promise<void>;
  /** Whether all commits are on disk. This thread may see that here before they resolve, which takes a turn. */
  readonly ready: boolean;
  /**
   * Resolves when all of it is on disk, in the order of the calls. Rejects with StoreError if it may not be; the log is
   * then unusable, except after StoreStalledError: nothing of the commit is on disk, and commits may continue after
   * `resume`.
   */
  commit(commit: Commit): Promise<void>;
  /** Makes the log ready again after a commit has failed with StoreStalledError. */
  resume(): void;
  close(): Promise<void>;
}

export interface CommitLogOptions extends EmbeddedFileOptions {
  /** Where values that are read are put; anywhere by default. */
  readonly place?: ((value: Buffer) => Buffer) | undefined;
}

/** Opens the log in a directory, creating it if necessary. Rejects with StoreError. */
export async function openCommitLog(options: CommitLogOptions): Promise<CommitLog> {
  const thread = new StoreThread(options);
  try {
    return await thread.opened;
  } catch (error) {
    await thread.stop();
    throw error;
  }
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: StoreError) => void;
}

class StoreThread implements CommitLog {
  readonly opened: Promise<StoreThread>;
  readonly #worker: Worker;
  readonly #mailbox = new CommitMailbox();
  readonly #place: (value: Buffer) => Buffer;
  /** Pending calls other than commits. */
  #waiting: Waiting | undefined;
  /** Pending commits, and the number of commits known to be done. */
  #commits: Waiting[] = [];
  #done = 0;
  #awaiting = false;
  /** Rows that arrive before anybody reads. */
  readonly #early: RowsReply[] = [];
  #onRows = (rows: RowsReply): void => {
    this.#early.push(rows);
  };
  #allRows: Promise<void> | undefined;
  #stopped: StoreError | undefined;
  #compacted = 0;

  constructor(options: CommitLogOptions) {
    // Next to this file and in the same form: .ts for sources, .js for the build.
    const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
    const compileCache = getCompileCacheDir();
    const { directory, maxFileBytes, place = (value) => value } = options;
    this.#place = place;
    const workerData: WorkerData = { file: { directory, maxFileBytes }, mailbox: this.#mailbox.memory };
    this.#worker = new Worker(new URL(`./embedded-worker${extension}`, import.meta.url), {
      workerData,
      execArgv: [],
      // The compile cache saves the thread half of its startup time and memory.
      env: compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache },
    });
    this.#worker.on('message', (reply: WorkerReply) => this.#take(reply));
    this.#worker.on('error', (error) => this.#stop(messageOf(error)));
    this.#worker.on('exit', (code) => this.#stop(`exit code ${code}`));
    this.opened = this.#reply().then(() => this);
    // Requested in advance: this thread is busy loading the program while the other one opens the file.
    this.#mailbox.send('read');
  }

  get compacted(): number {
    return this.#compacted;
  }

  read(onWrite: (write: TimedWrite) => void): Promise<void> {
    this.#onRows = ({ revisions, timesMs, keys, values }) => {
      for (const [at, key] of keys.entries()) {
        const value = values[at];
        const placed = value ? this.#place(Buffer.from(value)) : undefined;
        onWrite({ revision: revisions[at]!, timeMs: timesMs[at]!, key, value: placed });
      }
    };
    for (const rows of this.#early.splice(0)) this.#onRows(rows);
    return this.#allRows ?? Promise.reject(this.#stopped);
  }

  get ready(): boolean {
    return this.#mailbox.allDone;
  }

  commit(commit: Commit): Promise<void> {
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped);
    const length = commitLength(commit);
    writeCommit(this.#mailbox.space(length), commit);
    this.#mailbox.sendCommit(length);
    return new Promise((resolve, reject) => {
      this.#commits.push({ resolve, reject });
      if (!this.#awaiting) void this.#awaitCommits();
    });
  }

  resume(): void {
    this.#mailbox.forgetCommit();
  }

  async close(): Promise<void> {
    if (this.#stopped !== undefined) return;
    try {
      await this.#request('close');
    } finally {
      await this.stop();
    }
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #request(kind: RequestKind): Promise<void> {
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped);
    this.#mailbox.send(kind);
    return this.#reply();
  }

  #reply(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  async #awaitCommits(): Promise<void> {
    this.#awaiting = true;
    while (this.#commits.length > 0) {
      await this.#mailbox.doneAfter(this.#done);
      this.#settleCommits();
    }
    this.#awaiting = false;
  }

  #settleCommits(): void {
    const { done } = this.#mailbox;
    while (this.#done !== done) {
      const commit = this.#commits.shift();
      if (commit === undefined) {
        this.#done = done;
        this.#stop(`it finished commit ${done}, which was not pending`);
        return;
      }
      this.#done = (this.#done + 1) | 0;
      commit.resolve();
    }
  }

  /** Settles the latest request. */
  #settle(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }

  #reject(error: StoreError): void {
    // Those that are done are done, and the next one is what failed.
    this.#settleCommits();
    for (const { reject } of this.#commits.splice(0)) reject(error);
    this.#settle()?.reject(error);
  }

  #take(reply: WorkerReply): void {
    switch (reply.kind) {
      case 'rows':
        this.#onRows(reply);
        break;
      case 'failed':
        this.#reject(reply.stalled ? new StoreStalledError(reply.message) : new StoreError(reply.message));
        break;
      case 'opened':
        this.#compacted = reply.compacted;
        this.#settle()?.resolve();
        this.#allRows = this.#reply();
        // The error is reported to the reader.
        this.#allRows.catch(() => {});
        break;
      case 'done':
        this.#settle()?.resolve();
        break;
    }
  }

  #stop(detail: string): void {
    this.#stopped ??= new StoreError(`the store's thread ended (${detail}): start the server again`);
    this.#reject(this.#stopped);
  }
}
