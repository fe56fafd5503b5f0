// A server in this process that replaces the recorded one: it listens on a port, and has the users of the recordings.

import { Buffer } from 'node:buffer';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startTestServer, type TestServer, type TestServerOptions } from '../../src/testing.ts';
import { type EtcdProcess, findEtcd, NO_ETCD, startEtcd } from '../etcd/etcd-process.ts';
import { freshData } from '../etcd/fresh-data.ts';
import type { Target } from './client.ts';

/** The recordings' users; `admin-token` is the administrator's. */
const tokenAuthFile = join(import.meta.dirname, 'tokens.csv');

export interface ConformanceServer extends AsyncDisposable {
  readonly server: TestServer;
  readonly target: Target;
}

/**
 * @param store where the server keeps its data: `memory`, or `etcd` for its own etcd
 * @param options of the server, besides those that the recordings need
 */
export async function startConformanceServer(
  store = 'memory',
  options: TestServerOptions = {},
): Promise<ConformanceServer> {
  const etcd = store === 'etcd' ? await startOwnEtcd() : undefined;
  const etcdServers = etcd === undefined ? [] : [etcd.url];
  const server = await startTestServer({ listen: true, tokenAuthFile, etcdServers, ...options });
  const target = { url: server.url, token: 'admin-token', ca: authorityIn(server.kubeconfigText) };
  return { server, target, [Symbol.asyncDispose]: () => server.close().then(() => etcd?.stop()) };
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
