// Keelson with its own store and kube-apiserver with etcd, measured in turns in the same run on the same machine, so that
// their figures can be compared. Skipped if either of the others is not installed. Processor time of kube-apiserver
// includes that of its etcd, which does what Keelson's store does.

import { findEtcd, NO_ETCD, startEtcd } from '../test/etcd/etcd-process.ts';
import { findKubeApiserver, NO_KUBE_APISERVER, startKubeApiserver } from '../test/etcd/kube-apiserver.ts';
import { type Bench, fill, type LoadedServer, measureLoop, podPadding, withRig } from './bench.ts';
import type { ClosedLoop } from './closed-loop.ts';
import { LoadProcess } from './load.ts';
import { PODS, type Workload } from './workloads.ts';

const COUNT = 10_000;

interface Side extends LoadedServer {
  readonly name: string;
}

type Shape = Pick<ClosedLoop, 'connections' | 'streams'>;

const ONE: Shape = { connections: 1, streams: 1 };
const MANY: Shape = { connections: 8, streams: 8 };

/** What is measured; each lane of a write has objects of its own. */
function loads(padding: number): [name: string, shape: Shape, workload: (run: string) => Workload][] {
  const get = (path: string) => (): Workload => ({ kind: 'get', path });
  return [
    ['get', { connections: 10, streams: 8 }, get(`${PODS}/listed-5`)],
    ['list of 10,000', ONE, get(PODS)],
    ['page of 500 of 10,000', ONE, () => ({ kind: 'pages', limit: 500 })],
    ['list of 10 in 10,000 by label', ONE, get(`${PODS}?labelSelector=picked%3Dyes`)],
    ['create, 1 in flight', ONE, (run) => ({ kind: 'create', prefix: `one-${run}`, padding })],
    ['create, 64 in flight', MANY, (run) => ({ kind: 'create', prefix: `many-${run}`, padding })],
    ['update, 64 in flight', MANY, () => ({ kind: 'update', prefix: 'listed' })],
    ['merge patch, 64 in flight', MANY, () => ({ kind: 'merge-patch', prefix: 'listed' })],
    ['apply of a new object, 64 in flight', MANY, (run) => ({ kind: 'apply-new', prefix: `apply-${run}` })],
  ];
}

export async function pairRows(bench: Bench): Promise<void> {
  const [etcdProgram, program] = [findEtcd(), findKubeApiserver()];
  if (etcdProgram === undefined || program === undefined) {
    console.log(`pair: ${etcdProgram === undefined ? NO_ETCD : NO_KUBE_APISERVER}`);
    return;
  }
  await withRig(bench, async ({ server, load }) => {
    const etcd = await startEtcd({ program: etcdProgram });
    const kube = await startKubeApiserver(program, etcd.url).catch(async (error: unknown) => {
      await etcd.stop();
      throw error;
    });
    try {
      // Its admission rejects pods until this exists.
      await kube.ask('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
      await using other = new LoadProcess({ url: kube.url, token: kube.token });
      const others = etcd.child.pid === undefined ? [] : [etcd.child.pid];
      await inTurns(bench, [
        { name: 'Keelson', server, load },
        { name: 'kube-apiserver', server: { pid: kube.pid, others }, load: other },
      ]);
    } finally {
      await kube.stop();
      await etcd.stop();
    }
  });
}

async function inTurns(bench: Bench, sides: readonly Side[]): Promise<void> {
  for (const { load } of sides) await fill(load, 'listed', COUNT);
  for (const [name, shape, workload] of loads(await podPadding(sides[0]!.load))) {
    for (const side of sides) {
      bench.row(`pair: ${name}: ${side.name}`, await measureLoop(bench, side, { ...shape, workload }));
    }
  }
}
