// `keelson verify`, `keelson backup` and `keelson restore`: the embedded store, looked after from the command line.

import { parseArgs } from 'node:util';
import { defaultServerOptions } from '../server/options.ts';
import type { StoreReport } from '../server/store-care.ts';
import type { CommandProcess } from './serve.ts';

const storeUsage = `Look after the embedded store. All take --data-dir DIRECTORY (default ${JSON.stringify(defaultServerOptions.dataDir)}).

Usage:
  keelson verify            Read the whole store, which no server may have open, and tell everything that is wrong with it.
  keelson verify FILE       The same for a backup.
  keelson backup FILE       Write the store's state to a new file, also while a server has it open. The file holds all
                            secrets of the cluster, and not the keys in the folder pki or of encryption.
  keelson restore FILE      Check a backup and make a store of it, in a directory that has none.
`;

type StoreCommand = 'verify' | 'backup' | 'restore';

/** The exit status: 1 when the store is damaged or the command could not be done. */
export async function storeCommand(
  name: StoreCommand,
  argv: readonly string[],
  command: CommandProcess,
): Promise<number> {
  let parsed: { dataDir: string; file: string | undefined; help: boolean };
  try {
    parsed = readArguments(name, argv);
  } catch (error) {
    command.err(`keelson: ${(error as Error).message}; 'keelson ${name} --help' tells the usage\n`);
    return 1;
  }
  if (parsed.help) {
    command.out(storeUsage);
    return 0;
  }
  try {
    return await run(name, parsed, command);
  } catch (error) {
    command.err(`keelson: ${(error as Error).message}\n`);
    return 1;
  }
}

function readArguments(name: StoreCommand, argv: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string', default: defaultServerOptions.dataDir },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const help = values.help === true;
  const [file] = positionals;
  if (positionals.length > 1) throw new Error(`${name} takes one file, got ${positionals.length}`);
  if (!help && name !== 'verify' && file === undefined) throw new Error(`${name} needs a file`);
  return { dataDir: values['data-dir'], file, help };
}

async function run(
  name: StoreCommand,
  { dataDir, file = '' }: { dataDir: string; file: string | undefined },
  command: CommandProcess,
): Promise<number> {
  const { backUpStore, checkStoreAt, restoreStore } = await import('../server/store-care.ts');
  if (name === 'verify') return tell(checkStoreAt(file === '' ? { directory: dataDir } : { file }), command);
  const report = name === 'backup' ? backUpStore(dataDir, file) : restoreStore(dataDir, file);
  const done = name === 'backup' ? `${file} holds the store` : `${dataDir} holds the store`;
  command.out(`${done} at revision ${report.revision}: ${report.rows} rows, all of them whole\n`);
  return 0;
}

function tell({ revision, rows, problems }: StoreReport, command: CommandProcess): number {
  for (const problem of problems) command.err(`${problem}\n`);
  if (problems.length === 0) {
    command.out(`The store is whole: revision ${revision}, ${rows} rows\n`);
    return 0;
  }
  command.out(
    `The store is damaged; what can be read goes up to revision ${revision}, ${rows} rows. Restore a backup, or keep ` +
      'a copy of the directory and remove store.db-mark to go on with what can be read\n',
  );
  return 1;
}
