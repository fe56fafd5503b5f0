// Rows for overload: one client in its own process floods the server with lists, ten times as many as its priority
// level has seats; gets of other clients, a node's leases and probes are measured meanwhile and compared with the quiet
// case. Also the cost of priority and fairness for a request that finds a free seat.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findEtcd, startEtcd } from '../test/etcd/etcd-process.ts';
import { findKubeApiserver, NO_KUBE_APISERVER, startKubeApiserver } from '../test/etcd/kube-apiserver.ts';
import { type Bench, fill, measureLoop, pause, type Rig, withRig } from './bench.ts';
import type { Target } from './http2-connection.ts';
import { LoadProcess } from './load.ts';
import type { SteadyClient, SteadyOutcome } from './steady.ts';
import { PODS } from './workloads.ts';

/** Of the level that all authenticated clients share: 20 of 245 shares of 600 seats. */
const LEVEL_SEATS = 49;
const CONNECTIONS = 10;
const LISTED = 500;
/** How long the flood runs before others are looked at, and how much longer than they. */
const FLOOD_STARTS_SECONDS = 1;
const COST_ROUNDS = 5;
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const TOKENS = ['flood', 'calm', 'system:node:n1'].map((name) => `${name}-token,${name},${name}`);

export async function overloadRows(bench: Bench): Promise<void> {
  const tokens = join(bench.workplace.folder, 'overload-tokens.csv');
  const administrators = ['bench-token', 'admin-token'].map((token) => `${token},${token},${token},"system:masters"`);
  writeFileSync(tokens, [...administrators, ...TOKENS].join('\n').replace(/n1$/, 'n1,"system:nodes"'));
  const flags = [`--token-auth-file=${tokens}`, '--authorization-mode=AlwaysAllow'];
  await withRig(bench, ({ server, load }) => overload(bench, { target: server.target, load, prefix: '' }), { flags });
  await besideKubeApiserver(bench, flags);
  await costOfFlowControl(bench);
}

async function besideKubeApiserver(bench: Bench, flags: readonly string[]): Promise<void> {
  const [program, etcdProgram] = [findKubeApiserver(), findEtcd()];
  if (program === undefined || etcdProgram === undefined) {
    console.log(`overload of kube-apiserver: ${NO_KUBE_APISERVER}`);
    return;
  }
  const etcd = await startEtcd({ program: etcdProgram });
  try {
    const kube = await startKubeApiserver(program, etcd.url, flags);
    try {
      await kube.ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
      const target = { url: kube.url, token: kube.token };
      await using load = new LoadProcess(target);
      await overload(bench, { target, load, prefix: 'kube-apiserver: ' });
    } finally {
      await kube.stop();
    }
  } finally {
    await etcd.stop();
  }
}

interface Overloaded {
  readonly target: Target;
  readonly load: LoadProcess;
  /** Of the rows' names. */
  readonly prefix: string;
}

async function overload(bench: Bench, { target, load, prefix }: Overloaded): Promise<void> {
  await fill(load, 'listed', LISTED);
  const lease = JSON.stringify({ metadata: { name: 'n1' }, spec: { holderIdentity: 'n1' } });
  const { status } = await load.request({ method: 'POST', path: LEASES, contentType: 'application/json', body: lease });
  if (status !== 201) throw new Error(`a lease was not accepted: ${status}`);
  const clients: SteadyClient[] = [
    { token: 'calm-token', request: { method: 'GET', path: `${PODS}/listed-5` }, everyMs: 5 },
    { token: 'system:node:n1-token', request: renewal(lease), everyMs: 50 },
    { token: 'calm-token', request: { method: 'GET', path: '/livez' }, everyMs: 50 },
  ];
  const steady = { clients, seconds: bench.quick ? 3 : 10 };
  await load.steady({ ...steady, seconds: bench.warmUpSeconds });
  const quiet = await load.steady(steady);
  await using flooding = new LoadProcess(target);
  const streams = (10 * LEVEL_SEATS) / CONNECTIONS;
  const seconds = steady.seconds + 2 * FLOOD_STARTS_SECONDS;
  const flood = flooding.flood({ token: 'flood-token', path: PODS, connections: CONNECTIONS, streams, seconds });
  await pause(FLOOD_STARTS_SECONDS);
  const beside = await load.steady(steady);
  const { served, refused } = await flood;
  for (const [at, name] of ['get of another client', 'renewal of a lease', '/livez'].entries()) {
    bench.row(`${prefix}${name}, quiet`, figuresOf(name, quiet[at]!, prefix === ''));
    bench.row(`${prefix}${name} beside a flood`, {
      ...figuresOf(name, beside[at]!, prefix === ''),
      times: beside[at]!.p99Ms / quiet[at]!.p99Ms,
    });
  }
  bench.row(`${prefix}flood of lists of ${LISTED}: answered`, served);
  bench.row(`${prefix}flood of lists of ${LISTED}: refused`, refused);
}

function renewal(body: string) {
  return { method: 'PATCH', path: `${LEASES}/n1`, contentType: 'application/merge-patch+json', body } as const;
}

/** @throws Error where a request of our own server failed: nobody but the flood may be refused */
function figuresOf(name: string, { requests, failed, p50Ms, p99Ms, longestMs }: SteadyOutcome, isOwn: boolean) {
  if (failed > 0) {
    const message = `${name}: ${failed} of ${requests} requests failed`;
    if (isOwn) throw new Error(message);
    console.log(`kube-apiserver: ${message}`);
  }
  return { p50Ms, p99Ms, longestMs };
}

/**
 * Gets from a server with priority and fairness and from one without, alternating; returns the median of the
 * differences.
 */
async function costOfFlowControl(bench: Bench): Promise<void> {
  await withRig(bench, async (fair) => {
    await fill(fair.load, 'get', 10);
    await withRig(
      bench,
      async (plain) => {
        await fill(plain.load, 'get', 10);
        const costs: number[] = [];
        for (let round = 0; round < COST_ROUNDS; round++) {
          const without = await cpuOfGet(bench, plain);
          costs.push((await cpuOfGet(bench, fair)) - without);
        }
        bench.row('priority and fairness, of a get', { cpuMicros: costs.sort((a, b) => a - b)[COST_ROUNDS >> 1] ?? 0 });
      },
      { flags: ['--enable-priority-and-fairness=false'] },
    );
  });
}

async function cpuOfGet(bench: Bench, rig: Rig): Promise<number> {
  const workload = () => ({ kind: 'get', path: `${PODS}/get-5` }) as const;
  const { cpuMicros } = await measureLoop(bench, rig, { connections: 10, streams: 8, workload });
  return cpuMicros ?? 0;
}
