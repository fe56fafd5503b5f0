// The durable log under the embedded store, as seen from the main thread: a worker does the waiting for the disk.

import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import { CommitMailbox, type RequestKind } from './commit-mailbox.ts';
import type { EmbeddedFileOptions } from './embedded-file.ts';
import type { RowsReply, WorkerData, WorkerReply } from './embedded-worker.ts';
import { type Commit, commitLength, writeCommit } from './log-rows.ts';
import { StoreError, StoreStalledError } from './store.ts';
import type { TimedWrite } from './timeline.ts';

/** One call at a time: the next may be made when the one before has settled, and a commit as soon as `ready` says so. */
export interface CommitLog {
  /** The revision after which all writes are in the log, as found when it was opened. */
  readonly compacted: number;
  /** Gives all writes that are in the log to `onWrite`, in the order of their revisions. The first call, and made once. */
  read(onWrite: (write: TimedWrite) => void): Promise<void>;
  /** Whether all commits are on the disk. This thread may learn it from here before they resolve, which takes a turn. */
  readonly ready: boolean;
  /**
   * Resolves when all of it is on the disk, in the order of the calls. Rejects with StoreError when it may not be; the
   * log is then of no use, but for StoreStalledError: nothing of it is on the disk, and after `resume` there may be
   * commits again.
   */
  commit(commit: Commit): Promise<void>;
  /** Makes the log ready again after a commit has failed with StoreStalledError. */
  resume(): void;
  close(): Promise<void>;
}

/** Opens the log in a directory, or makes a new one. Rejects with StoreError. */
export async function openCommitLog(options: EmbeddedFileOptions): Promise<CommitLog> {
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
  /** Who asked for anything but a commit. */
  #waiting: Waiting | undefined;
  /** Who asked for commits that are not known here to be done, and how many are known to be. */
  #commits: Waiting[] = [];
  #done = 0;
  #awaiting = false;
  /** Rows that came before somebody reads. */
  readonly #early: RowsReply[] = [];
  #onRows = (rows: RowsReply): void => {
    this.#early.push(rows);
  };
  #allRows: Promise<void> | undefined;
  #stopped: StoreError | undefined;
  #compacted = 0;

  constructor(options: EmbeddedFileOptions) {
    // Beside this file and in the same form: source as .ts, built as .js.
    const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
    const compileCache = getCompileCacheDir();
    const { directory, maxFileBytes } = options;
    const workerData: WorkerData = { file: { directory, maxFileBytes }, mailbox: this.#mailbox.memory };
    this.#worker = new Worker(new URL(`./embedded-worker${extension}`, import.meta.url), {
      workerData,
      execArgv: [],
      // The cache of compiled source spares the thread half of its start and of its memory.
      env: compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache },
    });
    this.#worker.on('message', (reply: WorkerReply) => this.#take(reply));
    this.#worker.on('error', (error) => this.#stop(error instanceof Error ? error.message : String(error)));
    this.#worker.on('exit', (code) => this.#stop(`exit code ${code}`));
    this.opened = this.#reply().then(() => this);
    // Asked in advance: this thread is busy loading the program while the other one opens the file.
    this.#mailbox.send('read');
  }

  get compacted(): number {
    return this.#compacted;
  }

  read(onWrite: (write: TimedWrite) => void): Promise<void> {
    this.#onRows = ({ revisions, timesMs, keys, values }) => {
      for (const [at, key] of keys.entries()) {
        const value = values[at];
        onWrite({ revision: revisions[at]!, timeMs: timesMs[at]!, key, value: value ? Buffer.from(value) : undefined });
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
        this.#stop(`it finished commit ${done}, which nobody waits for`);
        return;
      }
      this.#done = (this.#done + 1) | 0;
      commit.resolve();
    }
  }

  /** Ends the waiting for what was asked last. */
  #settle(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }

  #reject(error: StoreError): void {
    // Those that are done are done, and the one after them is what failed.
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
        // Whoever reads hears of it.
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
