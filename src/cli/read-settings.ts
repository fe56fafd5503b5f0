// Reads the environment and the file of --config as settings of flags.

import { readText } from '../server/files.ts';
import { acceptedFlags } from './flags/accepted.ts';
import { serveFlags } from './flags/sections.ts';
import type { Setting, Settings } from './flags/settings.ts';
import { configFileIn, parseServeFlags, type ServeCommand } from './flags.ts';

const PREFIX = 'KEELSON_';
const CONFIG = `${PREFIX}CONFIG`;
/** Variables that are not those of flags; `keelson run --test-api` sets the last two for a command. */
const NO_FLAGS: ReadonlySet<string> = new Set([CONFIG, `${PREFIX}TEST_API`, `${PREFIX}TEST_TOKEN`]);
/** A variable of kube-apiserver, which has no flag for it. */
const REMOVED_APIS = 'KUBE_APISERVER_SERVE_REMOVED_APIS_FOR_ONE_RELEASE';

interface SettingSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => string;
}

/**
 * Parses the flags of serve from the arguments, the environment and a file, in this order of precedence.
 * @param env environment variables
 * @param name the command, which has the flags of serve
 */
export async function parseWithSettings(
  argv: readonly string[],
  env: SettingSources['env'] = {},
  name = 'serve',
): Promise<ServeCommand> {
  try {
    return parseServeFlags(argv, await readSettings(argv, { env, readFile: readText }), { name });
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/**
 * The settings in variables such as `KEELSON_SECURE_PORT`, and in the file given by the arguments or KEELSON_CONFIG.
 * @throws Error with the file and the field
 * @internal
 */
export async function readSettings(argv: readonly string[], { env, readFile }: SettingSources): Promise<Settings> {
  const warnings: string[] = [];
  const environment = settingsIn(env, warnings);
  const given = configFileIn(argv);
  const path = given ?? env[CONFIG];
  if (path === undefined || path === '') return { environment, file: [], warnings };
  const { settingsInFile } = await import('./config-file.ts');
  try {
    return { environment, file: settingsInFile(path, readFile(path)), warnings };
  } catch (error) {
    throw new Error(`${(error as Error).message}; see ${given === undefined ? CONFIG : '--config'}`, { cause: error });
  }
}

function settingsIn(env: SettingSources['env'], warnings: string[]): Setting[] {
  const known = new Set([...serveFlags, ...acceptedFlags].map(({ name }) => name));
  const settings: Setting[] = [];
  const removed = env[REMOVED_APIS];
  if (removed !== undefined) {
    settings.push({ name: 'serve-removed-apis-for-one-release', text: removed, source: REMOVED_APIS });
  }
  for (const [variable, text] of Object.entries(env)) {
    if (!variable.startsWith(PREFIX) || text === undefined || NO_FLAGS.has(variable)) continue;
    const name = variable.slice(PREFIX.length).toLowerCase().replaceAll('_', '-');
    if (known.has(name)) settings.push({ name, text, source: variable });
    // A Service named keelson causes such variables in every container of its namespace: no reason to fail.
    else warnings.push(`${variable} names no flag and is ignored`);
  }
  return settings;
}
