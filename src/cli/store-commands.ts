// `keelson verify`, `keelson backup` and `keelson restore`: maintenance of stores.

import { parseArgs } from 'node:util';
import { limits } from '../base/limits.ts';
import { systemFault } from '../server/files.ts';
import { defaultServerOptions } from '../server/options.ts';
import type { StoreReport } from '../server/store-care.ts';
import { parseServeFlags } from './flags.ts';
import type { CommandProcess } from './serve.ts';

const storeUsage = `Look after a store, the embedded one unless etcd is named. All take --data-dir DIRECTORY (default ${JSON.stringify(defaultServerOptions.dataDir)}).

Usage:
  keelson verify            Read the whole store, which no server may have open, and tell everything that is wrong with it.
  keelson verify FILE       The same for a backup.
  keelson verify --etcd-servers=URL... [--etcd-… flags] [--encryption-provider-config FILE]
                            Read all objects in etcd, also while servers use it, and tell which can not be decrypted or
                            decoded. With --encryption-provider-config alone, the same of the embedded store.
  keelson backup FILE       Write the store's state to a new file, also while a server has it open. The file holds all
                            secrets of the cluster, and not the keys in the folder pki or of encryption.
  keelson backup FILE --etcd-servers=URL... [--etcd-… flags] [--encryption-provider-config FILE]
                            The same of all objects in etcd, as they were at one moment, also while servers use it.
                            Encrypted values are encrypted anew by the configuration's first providers.
  keelson restore FILE [--bump-revision N]
                            Check a backup and make a store of it, in a directory that has none. Resource versions go on
                            N above those of the backup (default ${limits.restoredRevisions}): more than what was written since, so
                            that clients which saw that list anew. To bring a backup into etcd, restore it with
                            --bump-revision=0 and use 'keelson copy'.
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
  let parsed: StoreArguments & { help: boolean };
  try {
    parsed = readArguments(name, argv);
  } catch (error) {
    command.err(`keelson: ${(error as Error).message}; see 'keelson ${name} --help'\n`);
    return 1;
  }
  if (parsed.help) {
    command.out(storeUsage);
    return 0;
  }
  try {
    return await run(name, parsed, command);
  } catch (error) {
    command.err(`keelson: ${systemFault(error)}\n`);
    return 1;
  }
}

/** Flags of the server that are needed to read objects. */
const OF_OBJECTS = /^--(?:etcd-|encryption-provider-config)/;

/** Checks objects; for an embedded store, its file first. */
async function verifyObjectsCommand(argv: readonly string[], command: CommandProcess): Promise<number> {
  const parsed = parseServeFlags(argv);
  if (!('options' in parsed)) {
    command.err(`keelson: ${'error' in parsed ? parsed.error : 'unknown arguments'}\n`);
    return 1;
  }
  const { options } = parsed;
  try {
    if (options.etcdServers.length === 0) {
      const { checkStoreAt } = await import('../server/store-care.ts');
      const report = checkStoreAt({ directory: options.dataDir });
      if (report.problems.length > 0) return tell(report, command);
    }
    const { verifyObjects } = await import('../server/verify-objects.ts');
    const onFault = (fault: string) => command.err(`${fault}\n`);
    const { revision, objects, faults } = await verifyObjects({ end: options, options, onFault });
    command.out(
      faults === 0
        ? `The store is whole: revision ${revision}, ${objects} objects\n`
        : `The store is damaged: ${faults} of ${objects} objects cannot be read\n`,
    );
    return faults === 0 ? 0 : 1;
  } catch (error) {
    command.err(`keelson: ${(error as Error).message}\n`);
    return 1;
  }
}

/** Backs up the objects in etcd, in the format of embedded stores. */
async function backUpEtcdCommand(argv: readonly string[], command: CommandProcess): Promise<number> {
  const [file = '', ...flags] = argv;
  const parsed = parseServeFlags(file.startsWith('-') ? argv : flags);
  if (!('options' in parsed)) {
    command.err(`keelson: ${'error' in parsed ? parsed.error : 'unknown arguments'}\n`);
    return 1;
  }
  if (file.startsWith('-') || parsed.options.etcdServers.length === 0) {
    command.err("keelson: backup of etcd needs a file, and --etcd-servers behind it; see 'keelson backup --help'\n");
    return 1;
  }
  try {
    const { backUpEtcd } = await import('../server/back-up-etcd.ts');
    const { objects, revision } = await backUpEtcd(parsed.options, file);
    command.out(`${file} contains the ${objects} objects in etcd at revision ${revision}, all of them intact\n`);
    return 0;
  } catch (error) {
    command.err(`keelson: ${(error as Error).message}\n`);
    return 1;
  }
}

interface StoreArguments {
  readonly dataDir: string;
  readonly file: string | undefined;
  readonly bumpRevision: number;
}

function readArguments(name: StoreCommand, argv: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string', default: defaultServerOptions.dataDir },
      ...(name === 'restore'
        ? { 'bump-revision': { type: 'string', default: String(limits.restoredRevisions) } as const }
        : {}),
      help: { type: 'boolean', short: 'h' },
    },
  });
  const help = values.help === true;
  const [file] = positionals;
  if (positionals.length > 1) throw new Error(`${name} takes one file, got ${positionals.length}`);
  if (!help && name !== 'verify' && file === undefined) throw new Error(`${name} needs a file`);
  const bumpRevision = Number(values['bump-revision'] ?? 0);
  if (!Number.isInteger(bumpRevision) || bumpRevision < 0 || bumpRevision > MAX_BUMP) {
    throw new Error(`--bump-revision must be a whole number from 0 to ${MAX_BUMP}`);
  }
  return { dataDir: values['data-dir'], file, bumpRevision, help };
}

/** A store can be restored thousands of times before its revisions exceed exact numbers. */
const MAX_BUMP = 1_000_000_000_000;

async function run(
  name: StoreCommand,
  { dataDir, file = '', bumpRevision }: StoreArguments,
  command: CommandProcess,
): Promise<number> {
  const { backUpStore, checkStoreAt, restoreStore } = await import('../server/store-care.ts');
  if (name === 'verify') return tell(checkStoreAt(file === '' ? { directory: dataDir } : { file }), command);
  const report = name === 'backup' ? backUpStore(dataDir, file) : restoreStore(dataDir, file, { bumpRevision });
  const rows = `at revision ${report.revision}: ${report.rows} rows, all of them whole`;
  // A backup has former states of objects, too, which are rows as well.
  command.out(
    name === 'backup'
      ? `${file} contains the store with its history ${rows}\n`
      : `${dataDir} contains the store without the history of the backup ${rows}\n`,
  );
  return 0;
}

function tell({ revision, rows, problems }: StoreReport, command: CommandProcess): number {
  for (const problem of problems) command.err(`${problem}\n`);
  if (problems.length === 0) {
    command.out(`The store is whole: revision ${revision}, ${rows} rows\n`);
    return 0;
  }
  command.out(
    `The store is damaged; it is readable up to revision ${revision}, ${rows} rows. Restore a backup, or keep ` +
      'a copy of the directory and remove store.db-mark to continue with the readable part\n',
  );
  return 1;
}
