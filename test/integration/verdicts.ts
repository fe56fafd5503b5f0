// Verdicts on Kubernetes' integration tests: what a run of a package found, and the list of what is known of each test.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Release } from './module.ts';

/**
 * `pass`, or why not: `needs Go` for tests that reach into the memory of kube-apiserver's process, `fails too` for those
 * that fail with the original as well.
 */
export type Verdict = 'pass' | 'fail' | 'skip' | 'needs Go' | 'fails too';

/** What is known of a test, with the reason if it does not pass. */
export interface Known {
  readonly verdict: Verdict;
  readonly reason: string;
}

/** By package and test: `evictions TestEvictionVersions`. */
export type Verdicts = Map<string, Known>;

const RESULT = /^--- (PASS|FAIL|SKIP): (\S+)/gm;
const BEGUN = /^=== RUN +(\S+)$/gm;
const NEEDS_GO = 'NEEDS-GO-PROCESS';
/** Verdicts that a run cannot give. */
const FOR_PEOPLE: readonly (Verdict | undefined)[] = ['needs Go', 'fails too'];

/** The verdicts on the top-level tests in the output of a test binary; a test without an end has failed. */
export function verdictsIn(output: string): Map<string, Verdict> {
  const found = new Map<string, Verdict>();
  for (const [, name = ''] of output.matchAll(BEGUN)) if (!name.includes('/')) found.set(name, 'fail');
  for (const [, result, name = ''] of output.matchAll(RESULT)) {
    found.set(name, result === 'PASS' ? 'pass' : result === 'SKIP' ? 'skip' : 'fail');
  }
  for (const line of output.split('\n')) {
    const name = /^--- SKIP: (\S+)/.exec(line)?.[1];
    if (name !== undefined && outputOf(output, name).includes(NEEDS_GO)) found.set(name, 'needs Go');
  }
  return found;
}

/** The part of the output that belongs to one top-level test. */
export function outputOf(output: string, test: string): string {
  const begin = output.indexOf(`=== RUN   ${test}\n`);
  const end = output.search(new RegExp(`^--- (PASS|FAIL|SKIP): ${test} `, 'm'));
  return begin < 0 ? '' : output.slice(begin, end < begin ? undefined : output.indexOf('\n', end));
}

/** Lines of klog, which tests and the components that they start write by the hundred. */
const KLOG = /^(?: *\S+\.go:\d+: )?[IWE]\d{4} /;

/** The end of what a test said itself. */
export function saidBy(output: string, test: string, lines = 20): string {
  const own = outputOf(output, test)
    .split('\n')
    .filter((line) => !KLOG.test(line));
  return own.slice(-lines).join('\n');
}

/** The short name of a package: without the folder that all of them are in. */
export function shortName(folder: string): string {
  return folder.replace(/^test\/integration\//, '').replace(/^apiextensions\/test\/integration/, 'apiextensions');
}

/** The list of a release in the project. */
export function knownVerdicts(release: Release): Verdicts {
  const list = listOf(release);
  return readVerdicts(existsSync(list) ? readFileSync(list, 'utf8') : '');
}

/** A list: a line `package Test verdict: reason` for each test. */
export function readVerdicts(text: string): Verdicts {
  const known: Verdicts = new Map();
  for (const line of text.split('\n')) {
    const [, name, verdict, reason = ''] =
      /^(\S+ \S+) (pass|fail|skip|needs Go|fails too)(?:: (.*))?$/.exec(line) ?? [];
    if (name !== undefined) known.set(name, { verdict: verdict as Verdict, reason });
  }
  return known;
}

export function writeVerdicts(release: Release, known: Verdicts): void {
  writeFileSync(listOf(release), verdictsText(release, known));
}

function listOf({ files }: Release): string {
  return join(files, 'verdicts.txt');
}

export function verdictsText({ version }: Release, known: Verdicts): string {
  const head = `# Kubernetes v${version}: what its integration tests say of Keelson. \`npm run integration -- --update\` writes it.\n`;
  const lines = [...known].map(
    ([name, { verdict, reason }]) => `${name} ${verdict}${reason === '' ? '' : `: ${reason}`}\n`,
  );
  return head + lines.toSorted().join('');
}

/** Tests that passed before and do not any more. */
export function regressions(known: Verdicts, found: ReadonlyMap<string, Verdict>): string[] {
  return [...found].flatMap(([name, verdict]) =>
    known.get(name)?.verdict === 'pass' && verdict !== 'pass' ? [name] : [],
  );
}

/** Takes what a run found into the list; a reason stays as long as its verdict does. */
export function updated(known: Verdicts, found: ReadonlyMap<string, Verdict>): Verdicts {
  const next: Verdicts = new Map(known);
  for (const [name, verdict] of found) {
    const before = known.get(name);
    // Why a failing test cannot pass is for people to say.
    if (FOR_PEOPLE.includes(before?.verdict) && verdict !== 'pass') continue;
    next.set(name, { verdict, reason: before?.verdict === verdict ? before.reason : '' });
  }
  return next;
}
