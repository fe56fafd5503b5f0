// A server in this process that stands for the recorded one: it listens, and knows the users of the recordings.

import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import type { Target } from './client.ts';

/** The recordings' users; `admin-token` is the administrator's. */
const tokenAuthFile = join(import.meta.dirname, 'tokens.csv');

export interface ConformanceServer extends AsyncDisposable {
  readonly server: TestServer;
  readonly target: Target;
}

export async function startConformanceServer(): Promise<ConformanceServer> {
  const server = await startTestServer({ listen: true, tokenAuthFile });
  const target = { url: server.url, token: 'admin-token', ca: authorityIn(server.kubeconfigText) };
  return { server, target, [Symbol.asyncDispose]: () => server.close() };
}

/** The certificate, as PEM, of the authority that a kubeconfig names. */
export function authorityIn(kubeconfig: string): string {
  const encoded = /certificate-authority-data"?: ?"?([\w+/=]+)/.exec(kubeconfig)?.[1];
  if (encoded === undefined) throw new Error('the kubeconfig names no authority');
  return Buffer.from(encoded, 'base64').toString('utf8');
}
