// `keelson kubeconfig`: access for another user, by a client certificate of the server's own CA.

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseGoDuration } from '../base/go-duration.ts';
import { defaultServerOptions } from '../server/options.ts';
import { systemClock } from '../server/system-clock.ts';
import type { CommandProcess } from './command-process.ts';
import { reportFailure, UsageError } from './failure.ts';
import { newFileError } from './new-file.ts';

const usage = `Give somebody access: a kubeconfig with a client certificate that the server's own CA signs. The server need not run.

Usage:
  keelson kubeconfig --user NAME [--group NAME]... [flags]

Flags:
  --user NAME       The user.
  --group NAME      A group of the user; may be repeated.
  --groups NAMES    Several groups, separated by commas.
  --server URL      The server's address for that user, such as https://host:6443; default: as for the administrator.
  --expires TIME    How long the certificate is valid, such as 30d or 12h (default 365d). It cannot be revoked earlier.
  --data-dir DIR    The server's data folder (default ${JSON.stringify(defaultServerOptions.dataDir)}).
  --out FILE        A new file for it, readable only by its owner; default: standard output.
  -h, --help        Print this.

The user may do what RBAC grants to the name and the groups, which is nothing at first:
  kubectl create clusterrolebinding alice-views --clusterrole=view --user=alice
`;

const options = {
  user: { type: 'string' },
  group: { type: 'string', multiple: true },
  groups: { type: 'string', multiple: true },
  server: { type: 'string' },
  expires: { type: 'string', default: '365d' },
  'data-dir': { type: 'string', default: defaultServerOptions.dataDir },
  out: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Returns the exit status. */
export async function kubeconfigCommand(argv: readonly string[], command: CommandProcess): Promise<number> {
  try {
    const { values } = parseArgs({ args: [...argv], options });
    if (values.help) {
      command.out(usage);
      return 0;
    }
    const { user = '', group = [], groups: lists = [], out, server } = values;
    const groups = [...group, ...lists.flatMap((each) => each.split(','))];
    if (user === '') throw new UsageError('kubeconfig needs --user');
    if (groups.includes('')) throw new UsageError('the name of a group must not be empty');
    if (server !== undefined && !isAddress(server)) {
      throw new UsageError(`--server ${JSON.stringify(server)} is not an address such as https://host:6443`);
    }
    const lifetimeMs = lifetimeOf(values.expires);
    const { userKubeconfig } = await import('../server/user-kubeconfig.ts');
    const given = { dataDir: values['data-dir'], user, groups, server, lifetimeMs, clock: systemClock };
    const { text, end } = await userKubeconfig(given);
    if (out === undefined) command.out(text);
    else {
      writeNew(out, text);
      command.out(`${out} gives access as ${user} until ${end.toISOString()}\n`);
    }
    return 0;
  } catch (error) {
    return reportFailure(error, 'kubeconfig', command);
  }
}

/** @throws Error if the file cannot be written, or is there */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw newFileError(error, file);
  }
}

function isAddress(text: string): boolean {
  return URL.parse(text)?.protocol === 'https:';
}

const DAY_MS = 86_400_000;

/** @throws UsageError */
function lifetimeOf(text: string): number {
  const days = /^(\d{1,6})d$/.exec(text)?.[1];
  const lifetimeMs = days === undefined ? durationOf(text) : Number(days) * DAY_MS;
  // Certificates know no fractions of a second.
  if (lifetimeMs >= 1000) return lifetimeMs;
  throw new UsageError(`--expires ${JSON.stringify(text)} is not a time such as 30d or 12h`);
}

function durationOf(text: string): number {
  try {
    return parseGoDuration(text);
  } catch {
    return 0;
  }
}
