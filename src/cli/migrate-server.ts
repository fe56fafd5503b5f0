// `keelson migrate --server`: reports a cluster's uses of old API versions, without changing anything.

import { parseArgs } from 'node:util';
import { limits } from '../base/limits.ts';
import { Cluster } from '../console/cluster.ts';
import { type Ask, findServerUses } from '../migrate/server-uses.ts';
import type { CommandProcess } from './command-process.ts';
import { reportFailure, UsageError } from './failure.ts';
import { contextsOf } from './kubeconfig-paths.ts';

const RELEASE = '1.34';

const options = {
  server: { type: 'boolean' },
  check: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
} as const;

/** Reports the findings; returns the exit status: 1 after an error, and with --check if there are findings. */
export async function migrateServerCommand(
  argv: readonly string[],
  { out, err, env }: Pick<CommandProcess, 'out' | 'err' | 'env'>,
): Promise<number> {
  try {
    const { values } = parseArgs({ args: [...argv], options });
    const contexts = await contextsOf(values.kubeconfig, env);
    const context = values.context ?? contexts.current;
    if (context === '') throw new UsageError('the kubeconfig has no current context: name one with --context');
    const cluster = new Cluster(contexts.access(context));
    try {
      const { found, unknown } = await findServerUses(askOf(cluster), RELEASE);
      if (values.json) out(`${JSON.stringify({ found, unknown })}\n`);
      else for (const line of found) out(`${line}\n`);
      for (const line of unknown) err(`keelson: not looked at: ${line}\n`);
      if (!values.json && found.length === 0 && unknown.length === 0) out('nothing uses an old API version\n');
      return unknown.length > 0 || (values.check && found.length > 0) ? 1 : 0;
    } finally {
      cluster.close();
    }
  } catch (error) {
    return reportFailure(error, 'migrate', { err });
  }
}

function askOf(cluster: Cluster): Ask {
  return async (path, accept) => {
    const signal = AbortSignal.timeout(limits.migrateRequestMs);
    const answer = await cluster.ask({ method: 'GET', path, headers: { accept }, body: undefined, signal });
    let text = '';
    answer.setEncoding('utf8');
    for await (const part of answer) text += part as string;
    const { statusCode = 0 } = answer;
    if (statusCode !== 200) throw new Error(messageOf(text) ?? `the server answered ${statusCode}`);
    return text;
  };
}

/** The message of a Status. */
function messageOf(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
