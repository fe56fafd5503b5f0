// Kills a process that writes to an embedded store under load, compacts it and checkpoints its log, reopens the store and
// checks that every acknowledged write is there, over and over. In a part of the rounds a backup is made meanwhile.
//
//   npm run crashes -- [--rounds 20] [--seed 1]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Clock } from '../src/base/clock.ts';
import { silentLog } from '../src/base/log.ts';
import { openEmbeddedStore } from '../src/store/embedded-store.ts';
import { FIRST_REVISION, type Store } from '../src/store/store.ts';
import { type CopyReport, CrashCopies, type KnownWrites } from './crash-copies.ts';
import { randomNumbers } from './random-numbers.ts';

const WRITERS = 64;
const KEYS_OF_A_WRITER = 8;
const SHARED_KEYS = 4;
/** The number of rounds for which a directory is reused, so that each crash leaves its state to the next round. */
const ROUNDS_OF_A_DIRECTORY = 5;
/** Small, so that compaction deletes rows all the time. */
const HISTORY_BYTES = 512 * 1024;

/** The part of the rounds in which the store is backed up. */
const BACKUPS = 1 / 2;

const clock: Clock = {
  now: () => Date.now(),
  after(delayMs, wake) {
    const timer = setTimeout(wake, delayMs).unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** The child's report of an acknowledged write. */
interface Acknowledged {
  readonly key: string;
  readonly revision: number;
  /** Distinguishes this write's content from all others; undefined for a deletion. */
  readonly id: string | undefined;
}

export interface CrashReport extends CopyReport {
  readonly rounds: number;
  /** Acknowledged writes, including deletions; all of them were found. */
  readonly acknowledged: number;
  /** How many of those were found as an event in the history, with their content. */
  readonly inHistory: number;
  /** Writes that were not acknowledged but survived. */
  readonly unacknowledged: number;
  /** Rounds in which the process was killed before it had acknowledged anything. */
  readonly killedEarly: number;
}

/** Returns a self-checking value: its id, followed by bytes derived from the id. */
function contentOf(id: string): Buffer {
  const length = Number(id.split('.').at(-1));
  const pattern = createHash('sha256').update(id).digest();
  return Buffer.concat([Buffer.from(`${id}\n`), Buffer.alloc(length, pattern)]);
}

/** Returns the id of a value. Throws if the value is not exactly what the id implies. */
function checkedId(value: Buffer): string {
  const id = value.subarray(0, value.indexOf('\n')).toString();
  assert.ok(value.equals(contentOf(id)), `value ${id} is not what was written`);
  return id;
}

const open = (directory: string): Promise<Store> =>
  openEmbeddedStore({ directory, clock, log: silentLog, historyBytes: HISTORY_BYTES });

/** Not by a stream, which would keep lines in memory while the pipe is full, and let the store go on meanwhile. */
function acknowledge(line: string): void {
  const bytes = Buffer.from(line);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

/** The child: writes until it is killed, and prints each acknowledgement. */
async function writeUntilKilled(directory: string, seed: number): Promise<void> {
  const random = randomNumbers(seed);
  const below = (bound: number): number => Math.floor(random() * bound);
  const store = await open(directory);
  const write = async (writer: number): Promise<void> => {
    for (let count = 0; ; count++) {
      const shared = random() < 0.1;
      const key = shared ? `/shared/${below(SHARED_KEYS)}` : `/writer/${writer}/${below(KEYS_OF_A_WRITER)}`;
      const id = random() < 0.15 ? undefined : `${seed}.${writer}.${count}.${below(6000)}`;
      const current = await store.get(key);
      const result =
        id === undefined
          ? await store.delete(key, current?.revision ?? 'any')
          : await store.put(key, contentOf(id), current?.revision ?? 'absent');
      if (result.written) acknowledge(`${key} ${result.revision} ${id ?? '-'}\n`);
    }
  };
  const compact = async (): Promise<void> => {
    for (;;) {
      const [oldest, newest] = [store.compactedRevision(), store.currentRevision()];
      await store.compact(oldest + below(newest - oldest + 1));
      await delay(below(40));
    }
  };
  await Promise.all([compact(), ...Array.from({ length: WRITERS }, (_, writer) => write(writer))]);
}

interface Kill {
  readonly afterMs: number;
  /** After the child's start; otherwise after its first acknowledgement. */
  readonly early: boolean;
  /** What else happens once the child has acknowledged a write; the kill waits for it. */
  readonly meanwhile: ((acknowledged: readonly Acknowledged[]) => Promise<void>) | undefined;
}

/** Runs the child and kills it. */
async function crash(directory: string, seed: number, kill: Kill): Promise<readonly Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  const self = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [self, '--child', directory, '--seed', `${seed}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let meanwhile: Promise<void> | undefined;
  const killLater = async (): Promise<void> => {
    await Promise.all([delay(kill.afterMs), kill.early ? undefined : kill.meanwhile?.(acknowledged)]);
    child.kill('SIGKILL');
  };
  if (kill.early) meanwhile = killLater();
  for await (const line of createInterface({ input: child.stdout })) {
    const [key, revision, id, ...rest] = line.split(' ');
    // The kill may have truncated the last line.
    if (key === undefined || revision === undefined || id === undefined || rest.length > 0) continue;
    acknowledged.push({ key, revision: Number(revision), id: id === '-' ? undefined : id });
    meanwhile ??= killLater();
  }
  const [, signal] = await exit;
  await meanwhile;
  assert.equal(signal, 'SIGKILL', 'the child ended by itself');
  return acknowledged;
}

/** The expected state of one directory's store across crashes. */
class Witness {
  readonly #newest = new Map<string, Acknowledged>();
  #revision = FIRST_REVISION;
  inHistory = 0;
  unacknowledged = 0;

  /** What was acknowledged, with what has been since. */
  known(acknowledged: readonly Acknowledged[]): KnownWrites {
    const known = new Map(this.#newest);
    for (const write of acknowledged) {
      if (write.revision > (known.get(write.key)?.revision ?? 0)) known.set(write.key, write);
    }
    return known;
  }

  /** Checks the state of the store after a crash. */
  async check(store: Store, acknowledged: readonly Acknowledged[]): Promise<void> {
    const before = this.#revision;
    for (const write of acknowledged) {
      assert.ok(write.revision > before, `revision ${write.revision} was given again after ${before}`);
      if (write.revision > (this.#newest.get(write.key)?.revision ?? 0)) this.#newest.set(write.key, write);
      this.#revision = Math.max(this.#revision, write.revision);
    }
    const current = store.currentRevision();
    assert.ok(current >= this.#revision, `revision ${current} is behind the acknowledged ${this.#revision}`);
    this.#revision = current;
    await this.#checkState(store);
    await this.#checkHistory(store, before, new Map(acknowledged.map((write) => [write.revision, write])));
  }

  async #checkState(store: Store): Promise<void> {
    const { entries } = await store.list('');
    const there = new Map(entries.map((entry) => [entry.key, entry]));
    for (const { value } of entries) checkedId(value);
    for (const { key, revision, id } of this.#newest.values()) {
      const entry = there.get(key);
      if (entry !== undefined && entry.revision > revision) continue;
      if (id === undefined) assert.equal(entry, undefined, `${key} was deleted at ${revision} and is there again`);
      else if (entry !== undefined) assert.equal(checkedId(entry.value), id, `${key} at ${revision}`);
      else await this.#assertDeletedSince(store, key, revision);
    }
  }

  /** An unacknowledged deletion may have removed the key; then it is in the history. */
  async #assertDeletedSince(store: Store, key: string, revision: number): Promise<void> {
    let deleted = false;
    const onEvent = (event: { key: string; value: Buffer | undefined; revision: number }): void => {
      if (event.key === key && event.value === undefined && event.revision > revision) deleted = true;
    };
    const watch = await store.watch({ prefix: key, after: store.compactedRevision(), onEvent, onEnd: () => {} });
    watch.close();
    const range = `${store.compactedRevision()} to ${store.currentRevision()}`;
    assert.ok(deleted, `${key} was put at ${revision} and is gone; the history is from ${range}`);
    this.#newest.delete(key);
  }

  async #checkHistory(store: Store, before: number, acknowledged: Map<number, Acknowledged>): Promise<void> {
    let next = store.compactedRevision() + 1;
    const watch = await store.watch({
      prefix: '',
      after: next - 1,
      onEvent: ({ key, revision, value }) => {
        assert.equal(revision, next, 'history has a gap');
        next += 1;
        const id = value === undefined ? undefined : checkedId(value);
        const write = acknowledged.get(revision);
        if (write !== undefined) {
          assert.deepEqual({ key, revision, id }, write);
          this.inHistory += 1;
        } else if (revision > before) this.unacknowledged += 1;
      },
      onEnd: () => {},
    });
    watch.close();
    assert.equal(next, store.currentRevision() + 1, 'history ends too early');
  }
}

/** Runs rounds of load, kill and check. Rejects at the first violation. */
export async function crashRounds(options: { rounds: number; seed: number }): Promise<CrashReport> {
  const random = randomNumbers(options.seed);
  const root = mkdtempSync(join(tmpdir(), 'crash-harness-'));
  const copies = new CrashCopies({ root, random, open, checkedId });
  const witnesses: Witness[] = [];
  let acknowledgedWrites = 0;
  let killedEarly = 0;
  try {
    for (let round = 0; round < options.rounds; round++) {
      if (round % ROUNDS_OF_A_DIRECTORY === 0) witnesses.push(new Witness());
      const witness = witnesses.at(-1)!;
      const directory = join(root, `${witnesses.length}`);
      // One round in eight kills the child during start-up, while it creates or reads the store.
      const early = random() < 1 / 8;
      let checkCopy: ((now: Store) => Promise<void>) | undefined;
      const backUp = async (known: readonly Acknowledged[]): Promise<void> => {
        checkCopy = await copies.backUp(directory, witness.known(known));
      };
      const meanwhile = random() < BACKUPS ? backUp : undefined;
      const kill = { early, afterMs: random() * (early ? 250 : 300), meanwhile };
      const acknowledged = await crash(directory, options.seed * 100_000 + round, kill);
      acknowledgedWrites += acknowledged.length;
      if (acknowledged.length === 0) killedEarly += 1;
      const store = await open(directory);
      await witness.check(store, acknowledged);
      await checkCopy?.(store);
      await store.close();
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  const sum = (of: (witness: Witness) => number): number =>
    witnesses.reduce((total, witness) => total + of(witness), 0);
  return {
    rounds: options.rounds,
    acknowledged: acknowledgedWrites,
    inHistory: sum(({ inHistory }) => inHistory),
    unacknowledged: sum(({ unacknowledged }) => unacknowledged),
    killedEarly,
    ...copies.report,
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      child: { type: 'string' },
    },
  });
  const seed = Number(values.seed);
  if (values.child !== undefined) await writeUntilKilled(values.child, seed);
  else console.log(await crashRounds({ rounds: Number(values.rounds), seed }));
}
