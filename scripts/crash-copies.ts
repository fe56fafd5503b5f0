// Backups of a store that is written to, and restorations, both killed at any moment: what is there afterwards is whole
// and holds every write that was acknowledged before the backup began. Used by crash-harness.ts, which runs this file as
// the child that is killed.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Store } from '../src/store/store.ts';
import { checkStore } from '../src/store/store-check.ts';
import { backUpStore, restoreStore } from '../src/store/store-copy.ts';

/** The latest acknowledged write of each key; `id` is undefined for a deletion. */
export type KnownWrites = ReadonlyMap<string, { readonly revision: number; readonly id: string | undefined }>;

export interface CopyReport {
  readonly backups: number;
  readonly killedBackups: number;
  readonly restorations: number;
  readonly killedRestorations: number;
}

interface CrashCopiesOptions {
  readonly root: string;
  readonly random: () => number;
  readonly open: (directory: string) => Promise<Store>;
  /** Checks a value and returns its id. */
  readonly checkedId: (value: Buffer) => string;
}

/** A child is killed within this time after it has begun its work. */
const KILL_WITHIN_MS = 60;

export class CrashCopies {
  readonly #options: CrashCopiesOptions;
  #backups = 0;
  #killedBackups = 0;
  #restorations = 0;
  #killedRestorations = 0;

  constructor(options: CrashCopiesOptions) {
    this.#options = options;
  }

  get report(): CopyReport {
    return {
      backups: this.#backups,
      killedBackups: this.#killedBackups,
      restorations: this.#restorations,
      killedRestorations: this.#killedRestorations,
    };
  }

  /**
   * Backs a store up that is in use, and kills that half the time.
   * @param known a copy of what was acknowledged
   * @returns a check of the backup, for when the store has been opened again
   */
  async backUp(directory: string, known: KnownWrites): Promise<(now: Store) => Promise<void>> {
    const file = join(this.#options.root, 'backup.db');
    rmSync(file, { force: true });
    const wasKilled = await this.#run('backup', directory, file);
    if (wasKilled) this.#killedBackups += 1;
    else this.#backups += 1;
    if (!existsSync(file)) assert.ok(wasKilled, 'there is no backup');
    return async (now) => {
      for (const name of readdirSync(this.#options.root)) {
        if (name.startsWith('backup.db.')) rmSync(join(this.#options.root, name), { recursive: true });
      }
      if (!existsSync(file)) return;
      assert.deepEqual(checkStore(file).problems, []);
      await this.#restore(file, known, now);
    };
  }

  async #restore(file: string, known: KnownWrites, now: Store): Promise<void> {
    const directory = join(this.#options.root, 'restored');
    if (await this.#run('restore', directory, file)) this.#killedRestorations += 1;
    else this.#restorations += 1;
    const isThere = existsSync(join(directory, 'store.db'));
    if (!isThere) restoreStore(directory, file);
    const store = await this.#options.open(directory);
    try {
      await this.#check(store, known, now);
    } finally {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    }
  }

  async #check(restored: Store, known: KnownWrites, now: Store): Promise<void> {
    const { checkedId } = this.#options;
    const { entries } = await restored.list('');
    const there = new Map(entries.map((entry) => [entry.key, entry]));
    for (const { value } of entries) checkedId(value);
    for (const [key, { revision, id }] of known) {
      const entry = there.get(key);
      if (entry !== undefined && entry.revision > revision) continue;
      if (id === undefined) assert.equal(entry, undefined, `the backup has ${key}, deleted at ${revision}`);
      else if (entry !== undefined) assert.equal(checkedId(entry.value), id, `${key} at ${revision} in the backup`);
      else {
        // Deleted between the acknowledgement and the backup.
        const current = await now.get(key);
        assert.ok(current === undefined || current.revision > revision, `the backup has lost ${key} at ${revision}`);
      }
    }
  }

  /** Runs a command in a child. @returns whether the child was killed before its end */
  async #run(command: string, directory: string, file: string): Promise<boolean> {
    const self = fileURLToPath(import.meta.url);
    const child = spawn(process.execPath, [self, command, directory, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    await Promise.race([once(child.stdout, 'data'), ended]);
    if (this.#options.random() < 0.5) {
      const afterMs = this.#options.random() * KILL_WITHIN_MS;
      setTimeout(() => child.kill('SIGKILL'), afterMs);
    }
    const [code, signal] = await ended;
    assert.ok(code === 0 || signal === 'SIGKILL', `${command} failed`);
    return signal === 'SIGKILL';
  }
}

if (import.meta.main) {
  const [command, directory, file] = process.argv.slice(2);
  process.stdout.write('begin\n', () => {
    if (command === 'backup') backUpStore(directory!, file!);
    else restoreStore(directory!, file!);
  });
}
