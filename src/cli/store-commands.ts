// `keelson verify`, `keelson backup` and `keelson restore`: maintenance of stores.

import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { limits } from '../base/limits.ts';
import { readText } from '../server/files.ts';
import { defaultServerOptions } from '../server/options.ts';
import type { StoreReport } from '../server/store-care.ts';
import type { CommandProcess } from './command-process.ts';
import { JSON_FLAG, reportFailure, reportUsage, UsageError } from './failure.ts';
import { parseServeFlags } from './flags.ts';
import { newFileError } from './new-file.ts';
import { countProgress, storeProgress } from './store-progress.ts';

const storeUsage = `Look after a store, the embedded one unless etcd is named. All take --data-dir DIRECTORY (default ${JSON.stringify(defaultServerOptions.dataDir)}),
and --json, which prints the result as JSON.

Usage:
  keelson verify            Read the whole store, which no server may have open, and tell everything that is wrong with it.
  keelson verify FILE       The same for a backup.
  keelson verify --etcd-servers=URL... [--etcd-… flags] [--encryption-provider-config FILE]
                            Read all objects in etcd, also while servers use it, and tell which can not be decrypted or
                            decoded. With --encryption-provider-config alone, the same of the embedded store.
  keelson backup FILE [--with-keys --passphrase-file PATH]
                            Write the store's state to a new file, also while a server has it open. The file holds all
                            secrets of the cluster, and not the keys in the folder pki or of encryption. --with-keys
                            writes those of the folder pki to FILE.keys, encrypted with the passphrase.
  keelson backup FILE --etcd-servers=URL... [--etcd-… flags] [--encryption-provider-config FILE]
                            The same of all objects in etcd, as they were at one moment, also while servers use it.
                            Encrypted values are encrypted anew by the configuration's first providers.
  keelson restore FILE [--with-keys --passphrase-file PATH] [--bump-revision N]
                            Check a backup and make a store of it, in a directory that has none. Resource versions go on
                            N above those of the backup (default ${limits.restoredRevisions}): more than what was written since, so
                            that clients which saw that list anew. To bring a backup into etcd, restore it with
                            --bump-revision=0 and use 'keelson copy'. --with-keys brings back the keys in FILE.keys;
                            without them kubeconfigs and tokens of before are void.
`;

type StoreCommand = 'verify' | 'backup' | 'restore';

/** The exit status: 1 if the store is damaged or the command failed. */
export async function storeCommand(
  name: StoreCommand,
  argv: readonly string[],
  command: CommandProcess,
): Promise<number> {
  if (name === 'verify' && argv.some((each) => OF_OBJECTS.test(each)) && !argv.includes('--help')) {
    return verifyObjectsCommand(argv, command);
  }
  if (name === 'backup' && argv.some((each) => OF_OBJECTS.test(each)) && !argv.includes('--help')) {
    return backUpEtcdCommand(argv, command);
  }
  try {
    const parsed = readArguments(name, argv);
    if (!parsed.help) return await run(name, parsed, command);
    command.out(storeUsage);
    return 0;
  } catch (error) {
    return reportFailure(error, name, command);
  }
}

/** Flags of the server that are needed to read objects. */
const OF_OBJECTS = /^--(?:etcd-|encryption-provider-config)/;

/** Checks objects; for an embedded store, its file first. */
async function verifyObjectsCommand(argv: readonly string[], command: CommandProcess): Promise<number> {
  const json = argv.includes(JSON_FLAG);
  const parsed = parseServeFlags(withoutJson(argv), undefined, { name: 'verify' });
  if (!('options' in parsed)) return reportUsage(faultOf(parsed), 'verify', command);
  const { options } = parsed;
  try {
    if (options.etcdServers.length === 0) {
      const { checkStoreAt } = await import('../server/store-care.ts');
      const report = checkStoreAt({ directory: options.dataDir }, storeProgress(command));
      if (report.problems.length > 0) return tell(report, { json }, command);
    }
    const { verifyObjects } = await import('../server/verify-objects.ts');
    const problems: string[] = [];
    const onFault = (fault: string) => void (json ? problems.push(fault) : command.err(`${fault}\n`));
    const count = countProgress(command);
    const onProgress = (read: number) => count(`checked ${read} objects`);
    const { revision, objects, faults } = await verifyObjects({ end: options, options, onFault, onProgress });
    if (json) command.out(`${JSON.stringify({ whole: faults === 0, revision, objects, problems })}\n`);
    else if (faults === 0) command.out(`The store is whole: revision ${revision}, ${objects} objects\n`);
    else command.out(`The store is damaged: ${faults} of ${objects} objects cannot be read\n`);
    return faults === 0 ? 0 : 1;
  } catch (error) {
    return reportFailure(error, 'verify', command);
  }
}

/** Backs up the objects in etcd, in the format of embedded stores. */
async function backUpEtcdCommand(argv: readonly string[], command: CommandProcess): Promise<number> {
  const parsed = parseServeFlags(withoutJson(argv), undefined, { name: 'backup', takesFile: true });
  if (!('options' in parsed)) return reportUsage(faultOf(parsed), 'backup', command);
  const { file, options } = parsed;
  if (file === undefined || options.etcdServers.length === 0) {
    return reportUsage('backup of etcd needs a file and --etcd-servers', 'backup', command);
  }
  try {
    const tell = countProgress(command);
    const { backUpEtcd } = await import('../server/back-up-etcd.ts');
    const { objects, revision } = await backUpEtcd(options, file, (done) => tell(`copied ${done} objects`));
    command.out(
      argv.includes(JSON_FLAG)
        ? `${JSON.stringify({ file, revision, objects })}\n`
        : `${file} contains the ${objects} objects in etcd at revision ${revision}, all of them intact\n`,
    );
    return 0;
  } catch (error) {
    return reportFailure(error, 'backup', command);
  }
}

function withoutJson(argv: readonly string[]): string[] {
  return argv.filter((each) => each !== JSON_FLAG);
}

function faultOf(parsed: object): string {
  return 'error' in parsed ? String(parsed.error) : 'unknown arguments';
}

const KEY_FLAGS = {
  'with-keys': { type: 'boolean', default: false },
  'passphrase-file': { type: 'string' },
} as const;

interface StoreArguments {
  /** The file with the passphrase of keys, if they are wanted. */
  readonly passphraseFile: string | undefined;
  readonly dataDir: string;
  readonly file: string | undefined;
  readonly bumpRevision: number;
  readonly json: boolean;
  readonly help: boolean;
}

/** @throws UsageError, and errors of parseArgs */
function readArguments(name: StoreCommand, argv: readonly string[]): StoreArguments {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string', default: defaultServerOptions.dataDir },
      ...(name === 'verify' ? {} : KEY_FLAGS),
      ...(name === 'restore'
        ? { 'bump-revision': { type: 'string', default: String(limits.restoredRevisions) } as const }
        : {}),
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { help, json } = values;
  const [file] = positionals;
  if (positionals.length > 1) throw new UsageError(`${name} takes one file, got ${positionals.length}`);
  if (!help && name !== 'verify' && file === undefined) throw new UsageError(`${name} needs a file`);
  const bumpRevision = Number(values['bump-revision'] ?? 0);
  if (!Number.isInteger(bumpRevision) || bumpRevision < 0 || bumpRevision > MAX_BUMP) {
    throw new UsageError(`--bump-revision must be a whole number from 0 to ${MAX_BUMP}`);
  }
  const withKeys = values['with-keys'] === true;
  const given = values['passphrase-file'];
  const passphraseFile = typeof given === 'string' ? given : undefined;
  if (withKeys !== (passphraseFile !== undefined)) {
    throw new UsageError('--with-keys and --passphrase-file go together: the keys are encrypted');
  }
  return { dataDir: values['data-dir'], file, bumpRevision, json, help, passphraseFile };
}

/** Why there are fewer rows than in the backup; '' if there are not. */
function formerText(rows: number): string {
  if (rows === 0) return '';
  return `. ${rowsText(rows)} of the backup ${rows === 1 ? 'was a former state' : 'were former states'} of objects`;
}

function rowsText(rows: number): string {
  return rows === 1 ? '1 row' : `${rows} rows`;
}

/** A store can be restored thousands of times before its revisions exceed exact numbers. */
const MAX_BUMP = 1_000_000_000_000;

async function run(name: StoreCommand, given: StoreArguments, command: CommandProcess): Promise<number> {
  const { dataDir, file = '', json } = given;
  if (name === 'backup') return backUp(given, command);
  if (name === 'restore') return restore(given, command);
  const { checkStoreAt } = await import('../server/store-care.ts');
  if (file === '') return tell(checkStoreAt({ directory: dataDir }, storeProgress(command)), { json }, command);
  return tell(checkStoreAt({ file }, storeProgress(command)), { json, subject: 'backup' }, command);
}

async function backUp(
  { dataDir, file = '', json, passphraseFile }: StoreArguments,
  command: CommandProcess,
): Promise<number> {
  const { out } = command;
  const passphrase = passphraseFile === undefined ? undefined : readPassphrase(passphraseFile);
  const { backUpStore } = await import('../server/store-care.ts');
  const { backUpKeys, keysFileOf } = await import('../server/key-backup.ts');
  // First, because of the two it is the one that may not exist.
  if (passphrase !== undefined) written(keysFileOf(file), (path) => backUpKeys(dataDir, path, passphrase));
  let report: StoreReport;
  try {
    report = written(file, (path) => backUpStore(dataDir, path, storeProgress(command)));
  } catch (error) {
    if (passphrase !== undefined) rmSync(keysFileOf(file));
    throw error;
  }
  const { revision, rows } = report;
  const keys = passphrase === undefined ? undefined : keysFileOf(file);
  if (json) {
    out(`${JSON.stringify({ file, revision, rows, ...(keys !== undefined && { keys }) })}\n`);
    return 0;
  }
  // A backup has former states of objects, too, which are rows as well.
  out(`${file} contains the store with its history at revision ${revision}: ${rowsText(rows)}, all whole\n`);
  if (keys !== undefined) out(`${keys} contains its keys, encrypted with the passphrase in ${passphraseFile}\n`);
  return 0;
}

async function restore(given: StoreArguments, command: CommandProcess): Promise<number> {
  const { out } = command;
  const { dataDir, file = '', json, bumpRevision, passphraseFile } = given;
  const { restoreStore } = await import('../server/store-care.ts');
  const { hasKeys, keysFileOf, openKeys, restoreKeys } = await import('../server/key-backup.ts');
  const keys = passphraseFile === undefined ? undefined : openKeys(keysFileOf(file), readPassphrase(passphraseFile));
  if (keys !== undefined && hasKeys(dataDir)) throw new Error(`${dataDir} has keys: move its folder pki away`);
  const { revision, rows, formerRows } = restoreStore(dataDir, file, { bumpRevision, onStep: storeProgress(command) });
  if (keys !== undefined) restoreKeys(dataDir, keys);
  if (json) {
    out(`${JSON.stringify({ dataDir, revision, rows, formerRows, keys: hasKeys(dataDir) })}\n`);
    return 0;
  }
  out(
    `${dataDir} contains the store without the history of the backup at revision ${revision}: ${rowsText(rows)}, ` +
      `all whole${formerText(formerRows)}\n`,
  );
  if (!hasKeys(dataDir)) {
    out(
      'It has no keys: the next start makes new ones, and kubeconfigs and tokens of before are void. To keep those, ' +
        'restore with --with-keys a backup that was made with it, or copy the old folder pki there first\n',
    );
  }
  return 0;
}

/** @throws the error of the work, which says what to do about the file */
function written<Result>(file: string, work: (file: string) => Result): Result {
  try {
    return work(file);
  } catch (error) {
    throw newFileError(error, file);
  }
}

/** @throws Error for a file that cannot be read, or has none */
function readPassphrase(path: string): string {
  const text = readNamed(path);
  if (text.length > limits.passphraseBytes) throw new Error(`${path} is too large for a passphrase`);
  const passphrase = text.trimEnd();
  if (passphrase === '') throw new Error(`${path} has no passphrase`);
  return passphrase;
}

/** @throws Error that names the flag */
function readNamed(path: string): string {
  try {
    return readText(path);
  } catch (error) {
    throw new Error(`${(error as Error).message}; see --passphrase-file`, { cause: error });
  }
}

interface Told {
  readonly json: boolean;
  /** What was checked. */
  readonly subject?: 'store' | 'backup';
}

function tell(
  { revision, rows, problems }: StoreReport,
  { json, subject = 'store' }: Told,
  command: CommandProcess,
): number {
  if (json) {
    command.out(`${JSON.stringify({ whole: problems.length === 0, revision, rows, problems })}\n`);
    return problems.length === 0 ? 0 : 1;
  }
  for (const problem of problems) command.err(`${problem}\n`);
  if (problems.length === 0) {
    command.out(`The ${subject} is whole: revision ${revision}, ${rowsText(rows)}\n`);
    return 0;
  }
  const advice =
    subject === 'backup'
      ? ': use another one'
      : '. Restore a backup, or keep a copy of the directory and remove store.db-mark to continue with the readable part';
  command.out(`The ${subject} is damaged; it is readable up to revision ${revision}, ${rowsText(rows)}${advice}\n`);
  return 1;
}
