// `keelson copy`: copies all objects from one store to another, and reports progress.

import type { CopyProgress } from '../server/copy-objects.ts';
import { defaultServerOptions } from '../server/options.ts';
import type { StoreEnd } from '../server/store-ends.ts';
import type { CommandProcess } from './command-process.ts';
import { JSON_FLAG, reportFailure, reportUsage } from './failure.ts';
import { parseServeFlags } from './flags.ts';
import { countProgress } from './store-progress.ts';

const copyUsage = `Copy all objects from one store to another that has none. No server may run on either.

Usage:
  keelson copy --from SOURCE --to TARGET [--etcd-… flags] [--encryption-provider-config FILE] [--json]

SOURCE and TARGET are a data directory, or URLs of etcd's members, separated by commas. Objects keep their uids and
times; resource versions go on above the old ones. The --etcd-… flags of 'keelson serve' say how etcd is reached and
where in it the objects are. Both ends are read and written by the encryption configuration, where one is named: its
first provider encrypts in the target, and every provider reads the source. --json prints the result as JSON.
`;

/** Returns the exit status. */
export async function copyCommand(argv: readonly string[], command: CommandProcess): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    command.out(copyUsage);
    return 0;
  }
  const { ends, rest } = takeEnds(argv.filter((each) => each !== JSON_FLAG));
  const { from, to } = ends;
  if (from === undefined || to === undefined) return reportUsage('copy needs --from and --to', 'copy', command);
  for (const [name, end] of Object.entries({ from, to })) {
    if (!HOST_AND_PORT.test(end)) continue;
    return reportUsage(`--${name} ${end}: URLs of etcd begin with http:// or https://`, 'copy', command);
  }
  const servers = [...endOf(from).etcdServers, ...endOf(to).etcdServers];
  const flags = servers.length === 0 ? rest : [...rest, `--etcd-servers=${servers.join(',')}`];
  const parsed = parseServeFlags(flags, undefined, { name: 'copy' });
  if (!('options' in parsed)) {
    return reportUsage('error' in parsed ? parsed.error : 'unknown arguments', 'copy', command);
  }
  try {
    const { copyObjects } = await import('../server/copy-objects.ts');
    const tell = countProgress(command);
    const onProgress = (progress: CopyProgress) => tell(progressLine(progress));
    const count = await copyObjects({ from: endOf(from), to: endOf(to), options: parsed.options, onProgress });
    const asJson = argv.includes(JSON_FLAG);
    command.out(
      asJson ? `${JSON.stringify({ from, to, objects: count })}\n` : `copied ${count} objects from ${from} to ${to}\n`,
    );
    return 0;
  } catch (error) {
    return reportFailure(error, 'copy', command);
  }
}

/** The form of etcd URLs, which nobody uses as a folder name. */
const HOST_AND_PORT = /^[^/\\]+:\d+(?:,|$)/;

function progressLine({ step, done, all }: CopyProgress): string {
  return step === 'versions' ? `raised ${done} of ${all} resource versions` : `copied ${done} objects`;
}

interface Ends {
  from?: string;
  to?: string;
}

/** Removes --from and --to from the arguments. */
function takeEnds(argv: readonly string[]): { ends: Ends; rest: string[] } {
  const ends: Ends = {};
  const rest: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const parts = /^--(from|to)(?:=(.*))?$/s.exec(argv[at] as string);
    if (parts === null) rest.push(argv[at] as string);
    else ends[parts[1] as keyof Ends] = parts[2] ?? argv[++at];
  }
  return { ends, rest };
}

function endOf(text: string): StoreEnd {
  if (/^https?:\/\//.test(text)) return { etcdServers: text.split(','), dataDir: defaultServerOptions.dataDir };
  return { etcdServers: [], dataDir: text };
}
