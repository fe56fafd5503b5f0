// The state that the kube-apiserver of an envtest environment saves to the environment's etcd when it stops, so that
// objects survive a restart of the API server alone, as with a real etcd.

import { request } from 'node:http';

/** Returns where the etcd of an environment stores the state of API servers with one `--etcd-prefix`. */
export const STATE_PATH = '/keelson/state';

/** Far more than a local etcd needs while the server's modules are being loaded on a busy processor. */
const TIMEOUT_MS = 10_000;

/** Returns the URL of the state from the flags of a kube-apiserver; undefined if they specify no suitable etcd. */
export function stateUrl(argv: readonly string[]): URL | undefined {
  const [server = ''] = lastValue(argv, '--etcd-servers').split(',');
  const base = URL.parse(server);
  if (base?.protocol !== 'http:') return undefined;
  const url = new URL(STATE_PATH, base);
  url.searchParams.set('prefix', lastValue(argv, '--etcd-prefix') || '/registry');
  return url;
}

function lastValue(argv: readonly string[], flag: string): string {
  const values = argv.flatMap((argument, at) => {
    if (argument === flag) return [argv[at + 1] ?? ''];
    return argument.startsWith(`${flag}=`) ? [argument.slice(flag.length + 1)] : [];
  });
  return values.at(-1) ?? '';
}

/** Returns the state saved by an earlier API server; undefined if there is none, or if no etcd of Keelson responds. */
export async function takeState(url: URL): Promise<Buffer | undefined> {
  const { status, body } = await exchange(url, 'GET').catch(() => NO_ANSWER);
  return status === 200 ? body : undefined;
}

/** Saves the state. If the etcd was stopped first, the state is lost, because the environment is being torn down. */
export async function leaveState(url: URL, state: Buffer): Promise<void> {
  await exchange(url, 'PUT', state).catch(() => NO_ANSWER);
}

interface Answer {
  readonly status: number | undefined;
  readonly body: Buffer;
}

const NO_ANSWER: Answer = { status: undefined, body: Buffer.alloc(0) };

function exchange(url: URL, method: string, body?: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const asked = request(url, { method, signal, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => resolve({ status: response.statusCode, body: Buffer.concat(pieces) }));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
