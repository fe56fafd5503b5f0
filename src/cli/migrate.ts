// `keelson migrate`: rewrites manifest files to API versions that are still served, and reports the changes. All files
// are read and migrated before the first is written.

import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MigratedManifest, MigrationError, migrateText } from '../migrate/migrate-text.ts';
import { systemFault } from '../server/files.ts';
import type { CommandProcess } from './command-process.ts';
import { JSON_FLAG, reportUsage, suggestedFlag } from './failure.ts';
import { assertTreeSize } from './yaml-size.ts';

const MAX_MINOR = 34;
const MIN_MINOR = 16;

const usage = `Rewrite manifests to API versions that are served today.

Usage:
  keelson migrate [--check] [--json] [--to VERSION] FILE|DIR|-...
  keelson migrate --server [--check] [--json] [--kubeconfig FILE] [--context NAME]

Files are rewritten in place; - reads standard input and writes standard output. Comments, order and what need not change
stay. In folders, files that end in .yaml, .yml and .json are taken.

With --server nothing is rewritten: it tells which custom resources may be stored in old versions, which managers of
fields wrote in versions that are gone, and which deprecated versions clients have requested.

Flags:
      --check        Change nothing; exit with status 1 if something would change.
      --json         Report as JSON.
      --server       Look at a cluster, not at files; with --check, exit with status 1 if something is found.
      --kubeconfig FILE   The kubeconfig of the cluster; default: KUBECONFIG, or ~/.kube/config.
      --context NAME      Its context; default: the current one.
      --to VERSION   The release of Kubernetes whose APIs to use (default 1.34).
`;

interface Arguments {
  readonly check: boolean;
  readonly json: boolean;
  readonly minor: number;
  readonly paths: readonly string[];
}

interface MigratedFile {
  readonly path: string;
  readonly before: string;
  readonly text: string;
  readonly manifests: readonly MigratedManifest[];
}

type Streams = Pick<CommandProcess, 'out' | 'err'>;

/** @param readInput returns standard input */
export function migrateCommand(
  argv: readonly string[],
  { out, err }: Streams,
  readInput: () => string = () => readFileSync(0, 'utf8'),
): number {
  const given = readArguments(argv);
  if (given === 'help') {
    out(usage);
    return 0;
  }
  if ('error' in given) return reportUsage(given.error, 'migrate', { err });
  const files: MigratedFile[] = [];
  let failures = 0;
  for (const path of given.paths.flatMap(filesAt)) {
    try {
      const before = path === '-' ? readInput() : readFileSync(path, 'utf8');
      assertTreeSize(before);
      files.push({ path, before, ...migrateText(before, given.minor) });
    } catch (error) {
      failures++;
      const reason = reasonOf(error);
      err(`keelson: ${reason.includes(path) ? reason : `${path}: ${reason}`}; no file was changed\n`);
    }
  }
  if (failures > 0) return 1;
  const print = given.paths.includes('-') ? err : out;
  if (given.json) print(`${JSON.stringify({ changes: files.flatMap(changesIn) })}\n`);
  else for (const file of files) report(file, print);
  if (given.check) return files.some(({ manifests }) => manifests.length > 0) ? 1 : 0;
  try {
    writeAll(files.filter(({ path, before, text }) => path !== '-' && text !== before));
  } catch (error) {
    err(`keelson: ${reasonOf(error)}; no file was changed\n`);
    return 1;
  }
  for (const { path, text } of files) if (path === '-') out(text);
  return 0;
}

function reasonOf(error: unknown): string {
  if (error instanceof MigrationError) return error.message;
  return systemFault(error);
}

function report({ path, manifests }: MigratedFile, print: (text: string) => void): void {
  for (const { line, kind, name, from, to, notes } of manifests) {
    const change = to === undefined ? `${from} stays` : `${from} -> ${to}`;
    print(`${path}:${line}: ${kind} ${name}: ${change}\n`);
    for (const note of notes) print(`  ${note}\n`);
  }
}

function changesIn({ path, manifests }: MigratedFile): object[] {
  return manifests.map((manifest) => ({ path, ...manifest }));
}

/** New texts are all on disk before the first takes its place: where one cannot be written, none does. @throws Error */
function writeAll(files: readonly MigratedFile[]): void {
  const written: { path: string; beside: string }[] = [];
  try {
    for (const { path: named, text } of files) {
      // A link stays one.
      const path = realpathSync(named);
      const beside = `${path}.keelson-migrate`;
      written.push({ path, beside });
      writeFileSync(beside, text, { mode: statSync(path).mode });
    }
  } catch (error) {
    for (const { beside } of written) if (statSync(beside, { throwIfNoEntry: false })?.isFile()) rmSync(beside);
    throw error;
  }
  for (const { path, beside } of written) renameSync(beside, path);
}

function filesAt(path: string): string[] {
  if (path === '-' || !statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ya?ml|json)$/.test(name) && statSync(join(path, name)).isFile())
    .sort()
    .map((name) => join(path, name));
}

function readArguments(argv: readonly string[]): Arguments | { error: string } | 'help' {
  const remaining = [...argv];
  const paths: string[] = [];
  let [check, json, to] = [false, false, `1.${MAX_MINOR}`];
  while (remaining.length > 0) {
    const argument = remaining.shift() ?? '';
    if (argument === '--help' || argument === '-h') return 'help';
    if (argument === '--check') check = true;
    else if (argument === JSON_FLAG) json = true;
    else if (argument === '--to') to = remaining.shift() ?? '';
    else if (argument.startsWith('--to=')) to = argument.slice('--to='.length);
    else if (argument.startsWith('-') && argument !== '-') {
      return { error: `unknown flag: ${argument}${suggestedFlag(argument, 'migrate')}` };
    } else paths.push(argument);
  }
  const minor = Number(/^v?1\.(\d+)$/.exec(to)?.[1]);
  if (!(minor >= MIN_MINOR && minor <= MAX_MINOR)) {
    return { error: `--to ${JSON.stringify(to)} must be between 1.${MIN_MINOR} and 1.${MAX_MINOR}` };
  }
  if (paths.length === 0) return { error: 'name a file, a folder or -' };
  return { check, json, minor, paths };
}
