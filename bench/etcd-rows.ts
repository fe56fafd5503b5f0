// Writes, reads and watches of a server with etcd, and of kube-apiserver on the same etcd in the same run. Skipped if
// etcd is not installed; kube-apiserver's rows if that is not.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findEtcd, NO_ETCD, startEtcd } from '../test/etcd/etcd-process.ts';
import { findKubeApiserver, NO_KUBE_APISERVER, startKubeApiserver } from '../test/etcd/kube-apiserver.ts';
import { type Bench, fill, measureLoop, podPadding, type Rig, withRig } from './bench.ts';
import type { Figures } from './figures.ts';
import { LoadProcess } from './load.ts';
import { watchFigures } from './watch-rows.ts';
import { PODS } from './workloads.ts';

const CREATES = { connections: 8, streams: 8 };
const GETS = { connections: 10, streams: 8 };
const LISTED = 2_000;
/** How often creates without and with encryption alternate. */
const ROUNDS = 3;

/** A server, Keelson or kube-apiserver, and a load generator for it. */
interface Measured {
  readonly server: { readonly pid: number };
  readonly load: LoadProcess;
}

export async function etcdRows(bench: Bench): Promise<void> {
  const program = findEtcd();
  if (program === undefined) {
    console.log(`on etcd: ${NO_ETCD}`);
    return;
  }
  const etcd = await startEtcd({ program });
  const flags = (prefix: string) => [`--etcd-servers=${etcd.url}`, `--etcd-prefix=/${prefix}`];
  try {
    await withRig(bench, (rig) => measureAll(bench, rig, 'on etcd'), { flags: flags('keelson') });
    const encrypted = [...flags('encrypted'), `--encryption-provider-config=${encryptionConfig(bench)}`];
    const inTurn = (rig: Rig) => withRig(bench, (other) => encryptedCreates(bench, other, rig), { flags: encrypted });
    await withRig(bench, inTurn, { flags: flags('plain') });
    await besideKubeApiserver(bench, etcd.url);
  } finally {
    await etcd.stop();
  }
}

async function besideKubeApiserver(bench: Bench, etcdUrl: string): Promise<void> {
  const program = findKubeApiserver();
  if (program === undefined) {
    console.log(`kube-apiserver on the same etcd: ${NO_KUBE_APISERVER}`);
    return;
  }
  const kube = await startKubeApiserver(program, etcdUrl);
  try {
    // Its admission rejects pods until this exists.
    await kube.ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
    const { pid, url, token } = kube;
    await using load = new LoadProcess({ url, token });
    await measureAll(bench, { server: { pid }, load }, 'kube-apiserver on the same etcd');
  } finally {
    await kube.stop();
  }
}

async function measureAll(bench: Bench, rig: Measured, name: string) {
  await creates(bench, rig, name);
  await fill(rig.load, 'listed', LISTED);
  const loads = [
    ['get, 10 connections x 8', { ...GETS, path: `${PODS}/listed-5` }],
    ['page of 500', { connections: 1, streams: 1, path: `${PODS}?limit=500` }],
  ] as const;
  for (const [what, { path, ...shape }] of loads) {
    const figures = await measureLoop(bench, rig, { ...shape, workload: () => ({ kind: 'get', path }) });
    bench.row(`${name}: ${what}`, figures);
  }
  bench.row(`${name}: 200 watchers, flat out`, await watchFigures(bench, rig, 10));
}

async function creates(bench: Bench, rig: Measured, name: string) {
  bench.row(`${name}: create, 64 in flight`, await measureCreates(bench, rig, 'create'));
}

/** Creates with encryption, alternating with a server without: etcd becomes slower as it fills. */
async function encryptedCreates(bench: Bench, encrypted: Measured, plain: Measured) {
  const rounds: (Figures & { readonly costs: number })[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const without = await measureCreates(bench, plain, `create-${round}`);
    const figures = await measureCreates(bench, encrypted, `create-${round}`);
    rounds.push({ ...figures, costs: (figures.cpuMicros ?? 0) / (without.cpuMicros ?? 0) });
  }
  const median = rounds.toSorted((one, other) => one.costs - other.costs)[Math.floor(ROUNDS / 2)]!;
  bench.row('on etcd with aesgcm: create, 64 in flight', median);
}

async function measureCreates(bench: Bench, rig: Measured, prefix: string): Promise<Figures> {
  const padding = await podPadding(rig.load);
  return measureLoop(bench, rig, {
    ...CREATES,
    workload: (run) => ({ kind: 'create', prefix: `${prefix}-${run}`, padding }),
  });
}

/** Writes an encryption configuration for pods. */
function encryptionConfig({ workplace }: Bench): string {
  const path = join(workplace.folder, 'encryption.yaml');
  const secret = Buffer.alloc(32, 'bench').toString('base64');
  const provider = `{aesgcm: {keys: [{name: one, secret: ${secret}}]}}`;
  const rules = `resources:\n- resources: [pods]\n  providers: [${provider}]\n`;
  writeFileSync(path, `apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n${rules}`);
  return path;
}
