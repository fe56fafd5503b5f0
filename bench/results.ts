// Output of a run: a line of the table for each row as soon as it is known, and one line of JSON for the whole run.

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { expectations } from './expectations.ts';
import { describe, type Figures, reaches } from './figures.ts';

const WIDTHS = [46, 52, 30, 26];

export class Results {
  readonly #rows: Record<string, Figures> = {};
  readonly #loadBefore = loadavg()[0]!;
  readonly #quick: boolean;

  constructor(quick: boolean) {
    this.#quick = quick;
    console.log(this.#machine());
    printCells('row', 'measured', 'kube-apiserver 1.34.4', 'target', 'reached');
  }

  row(name: string, figures: Figures): void {
    this.#rows[name] = figures;
    const { kubeApiserver = {}, target = {} } = expectations[name] ?? {};
    const reached = reaches(figures, target);
    const verdict = reached === undefined ? '' : reached ? 'yes' : 'no';
    printCells(name, describe(figures), describe(kubeApiserver), describe(target), verdict);
  }

  /** Appends the run to the file of the day; the file's path. */
  save(now: Date): string {
    const time = now.toISOString();
    const folder = join(import.meta.dirname, 'results');
    const file = join(folder, `${time.slice(0, 10)}.jsonl`);
    mkdirSync(folder, { recursive: true });
    const run = {
      time,
      commit: commit(),
      node: process.version,
      processor: cpus()[0]?.model,
      cores: cpus().length,
      loadBefore: this.#loadBefore,
      loadAfter: loadavg()[0],
      quick: this.#quick,
      rows: this.#rows,
    };
    appendFileSync(file, `${JSON.stringify(run)}\n`);
    return file;
  }

  #machine(): string {
    return `node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}, load average ${this.#loadBefore.toFixed(1)}`;
  }
}

/** The commit that is checked out; 'unknown' outside of a repository. */
function commit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

function printCells(...cells: string[]): void {
  console.log(
    cells
      .map((cell, at) => cell.padEnd(WIDTHS[at] ?? 0))
      .join(' ')
      .trimEnd(),
  );
}
