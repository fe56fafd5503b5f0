// Random bit flips in every file of embedded stores: each is detected when the store is opened or read, or changes
// nothing, now and after the store has been written to, compacted and opened again.
//
//   npm run flips -- [--flips 1000] [--seed 1]

import assert from 'node:assert/strict';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EmbeddedFile } from '../src/store/embedded-file.ts';
import type { LogRow } from '../src/store/log-rows.ts';
import { StoreError } from '../src/store/store.ts';
import { checkStore } from '../src/store/store-check.ts';
import { backUpStore } from '../src/store/store-copy.ts';
import { randomNumbers } from './random-numbers.ts';

interface FlipReport {
  readonly flips: number;
  /** Flips in each kind of file. */
  readonly files: Readonly<Record<string, number>>;
  /** Flips that opening and reading the store reports. */
  readonly detected: number;
  /** Those of them that `verify` reports too, and flips that only `verify` reports. */
  readonly verified: number;
  readonly verifiedOnly: number;
  readonly harmless: number;
  /** What a flip has changed silently; the place of each. */
  readonly silent: readonly string[];
}

/** A store to damage. */
interface Specimen {
  readonly name: string;
  readonly directory: string;
  readonly rows: readonly string[];
  readonly compacted: number;
}

const KEYS = 150;
const WRITES = 600;
/** So many writes, removals and a compaction show damage that reading does not. */
const LATER_WRITES = 40;

type Random = () => number;

function keyOf(number: number): Buffer {
  return Buffer.from(`/registry/configmaps/default/${number}`);
}

/** Rows like those of a server: mostly small values, some larger than a page, and deletions. */
function rowAt(revision: number, random: Random): LogRow {
  const length = random() < 0.1 ? Math.floor(random() * 30_000) : Math.floor(random() * 1500);
  const value = random() < 0.15 ? undefined : Buffer.alloc(length, `${revision} `);
  return { revision, timeMs: 1_760_000_000_000 + revision, key: keyOf(Math.floor(random() * KEYS)), value };
}

/** The revisions of rows up to `compacted` that are no part of the state. */
function releasable(rows: readonly LogRow[], compacted: number): number[] {
  const newest = new Map<string, LogRow>();
  const released: number[] = [];
  for (const row of rows) {
    if (row.revision > compacted) break;
    const key = row.key.toString();
    const previous = newest.get(key);
    if (previous !== undefined) released.push(previous.revision);
    newest.delete(key);
    if (row.value === undefined) released.push(row.revision);
    else newest.set(key, row);
  }
  return released;
}

/** Writes and compacts in steps, and returns what is then in the file. */
function fill(file: EmbeddedFile, random: Random, writes: number): void {
  const found = [...file.rows()];
  let revision = Math.max(file.compacted, found.at(-1)?.revision ?? 0);
  for (let step = 0; step < writes; step++) {
    const rows = [rowAt(++revision, random)];
    const compacts = step % 100 === 99;
    const compacted = compacts ? revision - 20 : file.compacted;
    file.commit({ rows, released: compacts ? releasable([...file.rows(), ...rows], compacted) : [], compacted });
  }
}

function copyStore(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { mode: 0o700 });
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
}

const textOf = ({ revision, timeMs, key, value }: LogRow): string =>
  `${revision} ${timeMs} ${key.toString()} ${value === undefined ? '-' : Buffer.from(value).toString('base64')}`;

function contentOf(directory: string): { rows: string[]; compacted: number } {
  const file = new EmbeddedFile({ directory });
  try {
    return { rows: [...file.rows()].map(textOf), compacted: file.compacted };
  } finally {
    file.close();
  }
}

/** A store that was closed, what a killed server left with its log, what it left after a checkpoint, and a backup. */
function specimens(root: string, random: Random): Specimen[] {
  const live = join(root, 'live');
  const made: Specimen[] = [];
  const keep = (name: string, from: string): void => {
    const directory = join(root, name);
    copyStore(from, directory);
    const copy = join(root, 'copy');
    copyStore(directory, copy);
    made.push({ name, directory, ...contentOf(copy) });
  };
  const file = new EmbeddedFile({ directory: live });
  fill(file, random, WRITES);
  keep('killed', live);
  const backup = join(root, 'store.db');
  backUpStore(live, backup);
  const folder = join(root, 'of-backup');
  mkdirSync(folder);
  copyFileSync(backup, join(folder, 'store.db'));
  keep('backup', folder);
  file.close();
  keep('closed', live);
  const again = new EmbeddedFile({ directory: live });
  fill(again, random, WRITES / 10);
  keep('killed-again', live);
  again.close();
  return made;
}

interface Flip {
  readonly file: string;
  readonly at: number;
  readonly bit: number;
}

function flip(directory: string, { file, at, bit }: Flip): void {
  const opened = openSync(join(directory, file), 'r+');
  const byte = Buffer.alloc(1);
  readSync(opened, byte, 0, 1, at);
  byte[0]! ^= 1 << bit;
  writeSync(opened, byte, 0, 1, at);
  closeSync(opened);
}

/** Half of all flips hit anything, the others the first bytes of a page or frame, which hold SQLite's structure. */
function randomFlip(directory: string, file: string, random: Random): Flip {
  const { size } = statSync(join(directory, file));
  const anywhere = Math.floor(random() * size);
  const pageStart = file.endsWith('-wal') ? 32 + (8192 + 24) * Math.floor(anywhere / (8192 + 24)) : anywhere & ~8191;
  const inHead = pageStart + (pageStart === 0 && random() < 0.5 ? 100 : 0) + Math.floor(random() * 48);
  return { file, at: random() < 0.5 && inHead < size ? inHead : anywhere, bit: Math.floor(random() * 8) };
}

/** @returns what is otherwise than in the specimen; undefined if nothing is; throws StoreError for what is detected */
function changeOf(directory: string, specimen: Specimen, random: Random): string | undefined {
  const now = contentOf(directory);
  if (now.compacted !== specimen.compacted) return `compacted at ${now.compacted}, not ${specimen.compacted}`;
  const different = specimen.rows.findIndex((row, index) => now.rows[index] !== row);
  if (different >= 0) return `row ${different} is ${now.rows[different]?.slice(0, 80)}`;
  if (now.rows.length !== specimen.rows.length) return `${now.rows.length} rows, not ${specimen.rows.length}`;
  const file = new EmbeddedFile({ directory });
  let expected: string[];
  try {
    fill(file, random, LATER_WRITES);
    const kept = [...file.rows()];
    const compacted = file.compacted + LATER_WRITES / 2;
    const released = releasable(kept, compacted);
    file.commit({ rows: [], released, compacted });
    expected = kept.filter(({ revision }) => !released.includes(revision)).map(textOf);
    const before = new Set(specimen.rows);
    const unexpected = kept.find((row, index) => index < specimen.rows.length && !before.has(textOf(row)));
    if (unexpected !== undefined) return `after later writes row ${unexpected.revision} is another`;
  } finally {
    file.close();
  }
  const later = contentOf(directory);
  const { problems } = checkStore(join(directory, 'store.db'));
  if (problems.length > 0) return `later: ${problems[0]}`;
  return later.rows.join('\n') === expected.join('\n') ? undefined : 'other rows after later writes';
}

function isProblem(directory: string): boolean {
  try {
    return checkStore(join(directory, 'store.db')).problems.length > 0;
  } catch (error) {
    if (error instanceof StoreError) return true;
    throw error;
  }
}

/** Flips bits one at a time, each in a fresh copy of a store. */
export function flipBits({ flips, seed }: { flips: number; seed: number }): FlipReport {
  const random = randomNumbers(seed);
  const root = mkdtempSync(join(tmpdir(), 'bit-flips-'));
  const files: Record<string, number> = {};
  const silent: string[] = [];
  let [detected, verified, verifiedOnly, harmless] = [0, 0, 0, 0];
  try {
    const places = specimens(root, random).flatMap((specimen) =>
      readdirSync(specimen.directory).map((file) => ({ specimen, file })),
    );
    const workplace = join(root, 'workplace');
    for (let count = 0; count < flips; count++) {
      const { specimen, file } = places[count % places.length]!;
      copyStore(specimen.directory, workplace);
      const made = randomFlip(specimen.directory, file, random);
      flip(workplace, made);
      const name = `${file} of ${specimen.name}`;
      files[name] = (files[name] ?? 0) + 1;
      const isReported = isProblem(workplace);
      try {
        const change = changeOf(workplace, specimen, random);
        if (change !== undefined) silent.push(`${name}, byte ${made.at}, bit ${made.bit}: ${change}`);
        else harmless += 1;
        if (isReported) verifiedOnly += 1;
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        detected += 1;
        if (isReported) verified += 1;
      }
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return { flips, files, detected, verified, verifiedOnly, harmless, silent };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { flips: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
  });
  assert.ok(Number(values.flips) > 0, '--flips must be a positive number');
  const report = flipBits({ flips: Number(values.flips), seed: Number(values.seed) });
  console.log(report);
  if (report.silent.length > 0) process.exitCode = 1;
}
