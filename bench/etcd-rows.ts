// Writes and reads of a server that keeps its objects in etcd. Skipped where etcd is not installed.

import { findEtcd, NO_ETCD, startEtcd } from '../test/etcd/etcd-process.ts';
import { type Bench, measureLoop, podPadding, withRig } from './bench.ts';

const SHAPE = { connections: 8, streams: 8 };

export async function etcdRows(bench: Bench): Promise<void> {
  const program = findEtcd();
  if (program === undefined) {
    console.log(`on etcd: ${NO_ETCD}`);
    return;
  }
  const etcd = await startEtcd({ program });
  try {
    const measure = async (rig: Parameters<Parameters<typeof withRig>[1]>[0]) => {
      const padding = await podPadding(rig.load);
      const figures = await measureLoop(bench, rig, {
        ...SHAPE,
        workload: (run) => ({ kind: 'create', prefix: `create-${run}`, padding }),
      });
      bench.row('on etcd: create, 64 in flight', figures);
    };
    await withRig(bench, measure, { flags: [`--etcd-servers=${etcd.url}`] });
  } finally {
    await etcd.stop();
  }
}
