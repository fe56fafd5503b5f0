// A server in this process that replaces the recorded one: it listens on a port, and has the users of the recordings.

import { Buffer } from 'node:buffer';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startTestServer, type TestServerOptions } from '../../src/testing.ts';
import { type EtcdProcess, findEtcd, NO_ETCD, startEtcd } from '../etcd/etcd-process.ts';
import { freshData } from '../etcd/fresh-data.ts';
import { startThreadedServer } from '../threaded-server.ts';
import type { Target } from './client.ts';

/** The recordings' users; `admin-token` is the administrator's. */
const tokenAuthFile = join(import.meta.dirname, 'tokens.csv');

export interface ConformanceServer extends AsyncDisposable {
  readonly target: Target;
}

/** The serving threads of a server with several. */
const THREADS = 3;

/**
 * @param store where the server keeps its data: `memory`, `threads` for memory with several serving threads, or `etcd` for
 *   its own etcd
 * @param options of the server, besides those that the recordings need
 */
export async function startConformanceServer(
  store = 'memory',
  options: TestServerOptions = {},
): Promise<ConformanceServer> {
  if (store === 'threads') return await startWithThreads();
  const etcd = store === 'etcd' ? await startOwnEtcd() : undefined;
  const etcdServers = etcd === undefined ? [] : [etcd.url];
  const server = await startTestServer({ listen: true, tokenAuthFile, etcdServers, ...options });
  return { target: targetOf(server), [Symbol.asyncDispose]: () => server.close().then(() => etcd?.stop()) };
}

async function startWithThreads(): Promise<ConformanceServer> {
  const server = await startThreadedServer(THREADS, { tokenAuthFile });
  return { target: targetOf(server), [Symbol.asyncDispose]: () => server.close() };
}

function targetOf({ url, kubeconfigText }: { readonly url: string; readonly kubeconfigText: string }): Target {
  return { url, token: 'admin-token', ca: authorityIn(kubeconfigText) };
}

async function startOwnEtcd(): Promise<EtcdProcess> {
  const program = findEtcd();
  if (program === undefined) throw new Error(NO_ETCD);
  const data = await freshData(program);
  const etcd = await startEtcd({ program, data });
  rmSync(data, { recursive: true, force: true });
  return etcd;
}

/** Returns the CA certificate in a kubeconfig, as PEM. */
export function authorityIn(kubeconfig: string): string {
  const encoded = /certificate-authority-data"?: ?"?([\w+/=]+)/.exec(kubeconfig)?.[1];
  if (encoded === undefined) throw new Error('the kubeconfig names no authority');
  return Buffer.from(encoded, 'base64').toString('utf8');
}
