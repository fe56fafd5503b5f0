// `keelson token`: a token of a service account, from the running server's TokenRequest API.

import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { parseGoDuration } from '../base/go-duration.ts';
import { limits } from '../base/limits.ts';
import { Cluster } from '../console/cluster.ts';
import { readContexts } from '../console/contexts.ts';
import { defaultServerOptions } from '../server/options.ts';
import { adminKubeconfigPath } from '../server/user-kubeconfig.ts';
import type { CommandProcess } from './command-process.ts';
import { reportFailure, UsageError } from './failure.ts';

const usage = `Issue a token of a service account, as 'kubectl create token' does, as the administrator of a running server.

Usage:
  keelson token --service-account NAMESPACE/NAME [flags]

Flags:
  --service-account NAMESPACE/NAME   The service account.
  --duration TIME                    How long the token is wanted to be valid, such as 1h; default: as the server decides.
  --audience NAME                    Who accepts the token; may be repeated; default: the server.
  --bound-to KIND/NAME               The Pod, Secret or Node with whose deletion the token ends.
  --data-dir DIR                     The server's data folder (default ${JSON.stringify(defaultServerOptions.dataDir)}).
  -h, --help                         Print this.
`;

const options = {
  'service-account': { type: 'string', default: '' },
  duration: { type: 'string' },
  audience: { type: 'string', multiple: true },
  'bound-to': { type: 'string' },
  'data-dir': { type: 'string', default: defaultServerOptions.dataDir },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Returns the exit status. */
export async function tokenCommand(argv: readonly string[], command: CommandProcess): Promise<number> {
  try {
    const { values } = parseArgs({ args: [...argv], options });
    if (values.help) {
      command.out(usage);
      return 0;
    }
    const [namespace = '', name = '', ...more] = values['service-account'].split('/');
    if (namespace === '' || name === '' || more.length > 0) {
      throw new UsageError('token needs --service-account, with a namespace and a name: default/robot');
    }
    const { audience: audiences = [] } = values;
    if (audiences.includes('')) throw new UsageError('--audience must not be empty');
    const spec = {
      audiences,
      ...(values.duration !== undefined && { expirationSeconds: secondsOf(values.duration) }),
      ...(values['bound-to'] !== undefined && { boundObjectRef: boundObject(values['bound-to']) }),
    };
    const account = `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${encodeURIComponent(name)}`;
    command.out(`${await requestToken(adminKubeconfigPath(values['data-dir']), `${account}/token`, spec)}\n`);
    return 0;
  } catch (error) {
    return reportFailure(error, 'token', command);
  }
}

/** @throws UsageError */
function secondsOf(text: string): number {
  let seconds = 0;
  try {
    seconds = parseGoDuration(text) / 1000;
  } catch {
    // Reported below.
  }
  if (Number.isInteger(seconds) && seconds > 0) return seconds;
  throw new UsageError(`--duration ${JSON.stringify(text)} is not a time in whole seconds such as 1h`);
}

const BOUND_KINDS = ['Pod', 'Secret', 'Node'];

/** @throws UsageError */
function boundObject(text: string): { apiVersion: string; kind: string; name: string } {
  const [word = '', name = '', ...more] = text.split('/');
  const kind = BOUND_KINDS.find((each) => each.toLowerCase() === word.toLowerCase());
  if (kind === undefined || name === '' || more.length > 0) {
    throw new UsageError(
      `--bound-to ${JSON.stringify(text)} is not one of ${BOUND_KINDS.join(', ')} with a name: Pod/web`,
    );
  }
  return { apiVersion: 'v1', kind, name };
}

/** @throws Error if the server does not run, or refuses */
async function requestToken(kubeconfig: string, path: string, spec: object): Promise<string> {
  const contexts = await readContexts([kubeconfig], (file) => readFileSync(file, 'utf8'));
  const cluster = new Cluster(contexts.access(contexts.current));
  try {
    const answer = await cluster.ask({
      ...{ method: 'POST', path, headers: { accept: 'application/json', 'content-type': 'application/json' } },
      body: Readable.from([JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec })]),
      signal: AbortSignal.timeout(limits.migrateRequestMs),
    });
    let text = '';
    for await (const part of answer.setEncoding('utf8')) text += part as string;
    const { status, message } = JSON.parse(text) as { status?: { token?: string }; message?: string };
    if (answer.statusCode === 201 && status?.token !== undefined) return status.token;
    throw new Error(`the server issued no token: ${message ?? `status ${answer.statusCode}`}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ECONNREFUSED') throw error;
    throw new Error(`no server answers at ${cluster.server}: start it first`, { cause: error });
  } finally {
    cluster.close();
  }
}
