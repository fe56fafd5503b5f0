// The real kube-apiserver, started with etcd for the duration of a run of the differential tester. Its programs are not
// part of the project: they are looked up below KEELSON_REFERENCE, or in the user's cache folder.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from '../conformance/client.ts';
import { ended } from '../processes.ts';
import { send } from './send.ts';

export const referenceFolder = process.env['KEELSON_REFERENCE'] ?? join(homedir(), '.cache/keelson-reference');

const tokenFile = join(import.meta.dirname, '../conformance/tokens.csv');
const startTimeoutMs = 60_000;

export interface Reference extends AsyncDisposable {
  readonly target: Target;
}

/** The program of a release: `1.37`; of the default one if undefined. */
function apiserverOf(release: string | undefined): string {
  const folder = release === undefined ? referenceFolder : `${referenceFolder}-${release}`;
  return join(folder, 'bin/kube-apiserver');
}

/** Why no reference is available; undefined if one is. @param release `1.37`; the default one if undefined */
export function missingReference(release?: string): string | undefined {
  const own = ['bin/etcd', 'pki/apiserver.crt'].map((file) => join(referenceFolder, file));
  const missing = [...own, apiserverOf(release)].find((file) => !existsSync(file));
  return missing === undefined ? undefined : `no reference to ask: ${missing} is not there`;
}

/** Starts one; etcd listens on the next two ports. Rejects if it is not ready in time. */
export async function startReference(port: number, flags: readonly string[], release?: string): Promise<Reference> {
  const data = mkdtempSync(join(tmpdir(), 'keelson-reference-'));
  mkdirSync(data, { recursive: true });
  const etcdUrl = `http://127.0.0.1:${port + 1}`;
  const children = [
    run(join(referenceFolder, 'bin/etcd'), etcdFlags(data, etcdUrl, `http://127.0.0.1:${port + 2}`), data),
    run(apiserverOf(release), [...apiserverFlags(data, etcdUrl, port), ...flags], data),
  ];
  const target = { url: `https://127.0.0.1:${port}`, token: 'admin-token' };
  const end = async () => {
    for (const child of children.reverse()) await ended(child);
    rmSync(data, { recursive: true, force: true });
  };
  try {
    await ready(target, children);
  } catch (error) {
    await end();
    throw error;
  }
  return { target, [Symbol.asyncDispose]: end };
}

function etcdFlags(data: string, clientUrl: string, peerUrl: string): string[] {
  return [
    `--data-dir=${join(data, 'etcd')}`,
    `--listen-client-urls=${clientUrl}`,
    `--advertise-client-urls=${clientUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--unsafe-no-fsync',
  ];
}

/** Large enough that addresses do not run out; a service without a name makes the reference try all of them. */
export const serviceRange = '10.0.0.0/22';

function apiserverFlags(data: string, etcdUrl: string, port: number): string[] {
  const pki = join(referenceFolder, 'pki');
  return [
    `--etcd-servers=${etcdUrl}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${join(data, 'certs')}`,
    `--tls-cert-file=${pki}/apiserver.crt`,
    `--tls-private-key-file=${pki}/apiserver.key`,
    `--client-ca-file=${pki}/ca.crt`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${pki}/sa.pub`,
    `--service-account-signing-key-file=${pki}/sa.key`,
    `--service-cluster-ip-range=${serviceRange}`,
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    `--token-auth-file=${tokenFile}`,
    // Keelson has no front proxy certificates by default, and neither has the reference here.
  ];
}

function run(program: string, flags: readonly string[], data: string): ChildProcess {
  const log = openSync(join(data, `${basename(program)}.log`), 'w');
  return spawn(program, flags, { stdio: ['ignore', log, log] });
}

async function ready(target: Target, children: readonly ChildProcess[]): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const answer = await send(target, { path: '/readyz' }).catch(() => undefined);
    if (answer?.status === 200) return;
    if (children.some(({ exitCode }) => exitCode !== null)) throw new Error('the reference ended while it started');
    if (Date.now() > deadline) throw new Error('the reference was not ready in time');
    await sleep(200);
  }
}
