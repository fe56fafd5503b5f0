// The real kube-apiserver on etcd, for tests that compare the two programs. It is only available if it was built on
// this machine.

import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../until.ts';
import { freePort } from './etcd-process.ts';

/** The skip message if the program is missing. */
export const NO_KUBE_APISERVER = 'kube-apiserver is not installed here';

const TOKEN = 'admin-token';

/** The program's path; undefined if it is missing. */
export function findKubeApiserver(): string | undefined {
  const path = join(homedir(), '.cache/keelson-reference/bin/kube-apiserver');
  return existsSync(path) ? path : undefined;
}

export interface KubeApiserver {
  readonly url: string;
  /** The administrator's. */
  readonly token: string;
  readonly pid: number;
  /** Sends a request as the administrator. */
  ask(method: string, path: string, body?: unknown, type?: string): Promise<{ status: number; body: unknown }>;
  stop(): Promise<void>;
}

/** @param flags in addition to the common ones */
export async function startKubeApiserver(
  program: string,
  etcdUrl: string,
  flags: readonly string[] = [],
): Promise<KubeApiserver> {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-kube-apiserver-'));
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keyFile = join(folder, 'sa.key');
  const publicFile = join(folder, 'sa.pub');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs1', format: 'pem' }));
  writeFileSync(publicFile, publicKey.export({ type: 'spki', format: 'pem' }));
  const tokens = join(import.meta.dirname, '../conformance/tokens.csv');
  const port = await freePort();
  const args = [
    ...[`--etcd-servers=${etcdUrl}`, `--secure-port=${port}`, '--bind-address=127.0.0.1', `--cert-dir=${folder}`],
    ...[`--token-auth-file=${tokens}`, '--authorization-mode=RBAC', '--service-cluster-ip-range=10.0.0.0/24'],
    ...['--service-account-issuer=https://kubernetes.default.svc', `--service-account-key-file=${publicFile}`],
    ...[`--service-account-signing-key-file=${keyFile}`, '--allow-privileged=true'],
    ...flags,
  ];
  const child = spawn(program, args, { stdio: 'ignore' });
  const ask = asker(port);
  await until('kube-apiserver is ready', async () => (await ask('GET', '/readyz')).status === 200);
  return {
    url: `https://127.0.0.1:${port}`,
    token: TOKEN,
    pid: child.pid ?? 0,
    ask,
    async stop() {
      await stopped(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function asker(port: number): KubeApiserver['ask'] {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  return (method, path, body, type = 'application/json') =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${TOKEN}`, accept: 'application/json', 'content-type': type };
      const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          resolve({
            status: response.statusCode ?? 0,
            body: text.startsWith('{') && !path.includes('watch=') ? JSON.parse(text) : text,
          });
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exit;
}
