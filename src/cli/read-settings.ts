// Reads the environment and the file of --config as settings of flags.

import { goQuote } from '../base/go-quote.ts';
import { readText } from '../server/files.ts';
import { parseBool, type ServerOptions } from '../server/options.ts';
import { acceptedFlags } from './flags/accepted.ts';
import { serveFlags } from './flags/sections.ts';
import type { Setting, Settings } from './flags/settings.ts';
import { configFileIn, parseServeFlags, type ServeCommand } from './flags.ts';

const PREFIX = 'KEELSON_';
const CONFIG = `${PREFIX}CONFIG`;
/** kube-apiserver has no flag for it. */
const REMOVED_APIS = 'KUBE_APISERVER_SERVE_REMOVED_APIS_FOR_ONE_RELEASE';

interface SettingSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => string;
}

/**
 * Parses the flags of serve from the arguments, the environment and a file, in this order of precedence.
 * @param env environment variables
 */
export async function parseWithSettings(
  argv: readonly string[],
  env: SettingSources['env'] = {},
): Promise<ServeCommand> {
  try {
    const command = parseServeFlags(argv, await readSettings(argv, { env, readFile: readText }));
    return 'options' in command ? { ...command, options: withRemovedApis(command.options, env) } : command;
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** @throws Error if the variable of removed APIs is neither true nor false */
function withRemovedApis(options: ServerOptions, env: SettingSources['env']): ServerOptions {
  const text = env[REMOVED_APIS];
  if (text === undefined) return options;
  const serveRemovedApisForOneRelease = parseBool(text);
  if (serveRemovedApisForOneRelease === undefined) {
    throw new Error(`${REMOVED_APIS}: strconv.ParseBool: parsing ${goQuote(text)}: invalid syntax`);
  }
  return { ...options, serveRemovedApisForOneRelease };
}

/**
 * The settings in variables such as `KEELSON_SECURE_PORT`, and in the file given by the arguments or KEELSON_CONFIG.
 * @throws Error with the file and the field
 */
export async function readSettings(argv: readonly string[], { env, readFile }: SettingSources): Promise<Settings> {
  const warnings: string[] = [];
  const environment = settingsIn(env, warnings);
  const path = configFileIn(argv) ?? env[CONFIG];
  if (path === undefined || path === '') return { environment, file: [], warnings };
  const { settingsInFile } = await import('./config-file.ts');
  return { environment, file: settingsInFile(path, readFile(path)), warnings };
}

function settingsIn(env: SettingSources['env'], warnings: string[]): Setting[] {
  const known = new Set([...serveFlags, ...acceptedFlags].map(({ name }) => name));
  const settings: Setting[] = [];
  for (const [variable, text] of Object.entries(env)) {
    if (!variable.startsWith(PREFIX) || text === undefined || variable === CONFIG) continue;
    const name = variable.slice(PREFIX.length).toLowerCase().replaceAll('_', '-');
    if (known.has(name)) settings.push({ name, text, source: variable });
    // A Service named keelson causes such variables in every container of its namespace: no reason to fail.
    else warnings.push(`${variable} names no flag and is ignored`);
  }
  return settings;
}
