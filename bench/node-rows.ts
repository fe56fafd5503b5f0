// Rows for a cluster of many nodes, whose load is known beforehand: each node renews its lease every ten seconds, and its
// pods, thirty to a node, stay. Ten minutes of renewals come as fast as the server takes them, with compaction as often.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, fill, pause, type Rig, withRig } from './bench.ts';
import { LoadProcess } from './load.ts';
import { peakMegabytes, processorMicros, residentMegabytes } from './process-usage.ts';
import { ServerProcess } from './server-process.ts';
import type { Workload } from './workloads.ts';

const PODS_PER_NODE = 30;
const RENEWED_EVERY_SECONDS = 10;
/** Ten minutes have two compactions; these renewals take less than a minute for a thousand nodes. */
const COMPACTION = '--etcd-compaction-interval=10s';

export async function nodeRows(bench: Bench): Promise<void> {
  for (const nodes of bench.quick ? [500] : [500, 1_500, 5_000]) {
    const size = `${nodes.toLocaleString('en-US')} nodes`;
    await rowsOf({ ...bench, row: (name, figures) => bench.row(`${size}: ${name}`, figures) }, nodes);
  }
}

async function rowsOf(bench: Bench, nodes: number): Promise<void> {
  const pods = nodes * PODS_PER_NODE;
  const dataFolder = bench.workplace.newFolder();
  await withRig(
    bench,
    async (rig) => {
      const { server, load } = rig;
      await run(rig, { kind: 'create-node' }, nodes);
      await run(rig, { kind: 'create-lease' }, nodes);
      await fill(load, 'held', pods);
      await pause(2);
      bench.row(`memory with ${pods.toLocaleString('en-US')} pods`, { megabytes: residentMegabytes(server.pid) });
      bench.row('files', { megabytes: folderMegabytes(dataFolder) });
      await renew(bench, rig, nodes);
      bench.row('memory after ten minutes of leases', { megabytes: residentMegabytes(server.pid) });
      bench.row('memory at the most', { megabytes: peakMegabytes(server.pid) });
      bench.row('files after ten minutes of leases', { megabytes: folderMegabytes(dataFolder) });
    },
    { dataFolder, flags: [COMPACTION] },
  );
  await using server = await ServerProcess.start({ workplace: bench.workplace, dataFolder });
  const startCpuMs = processorMicros(server.pid) / 1_000;
  bench.row('start, processor time', { ms: startCpuMs });
  bench.row('start, until ready', { ms: server.readyMs });
}

/** Renewals at the rate of kubelets, with a small get every two milliseconds beside them, then all of ten minutes at once. */
async function renew(bench: Bench, { server, load }: Rig, nodes: number): Promise<void> {
  const loop = { connections: 8, streams: 8, workload: { kind: 'renew', nodes } } as const;
  await using other = new LoadProcess(server.target);
  await load.loop({ ...loop, seconds: bench.warmUpSeconds });
  await other.beginGets('/api/v1/namespaces/default');
  const { p50Ms, p99Ms } = await load.loop({
    ...loop,
    seconds: bench.seconds,
    perSecond: nodes / RENEWED_EVERY_SECONDS,
  });
  const { gets: _, ...small } = await other.endGets();
  bench.row('renewals at their rate', { p50Ms, p99Ms });
  bench.row('small get beside them', small);
  const before = processorMicros(server.pid);
  const renewals = (nodes * 600) / RENEWED_EVERY_SECONDS;
  const { requests, seconds } = await load.loop({ ...loop, seconds: 0, requests: renewals });
  bench.row('renewals, 64 in flight', {
    perSecond: requests / seconds,
    cpuMicros: (processorMicros(server.pid) - before) / requests,
  });
}

function run({ load }: Pick<Rig, 'load'>, workload: Workload, requests: number) {
  return load.loop({ connections: 8, streams: 8, workload, seconds: 0, requests });
}

/** What the files of a folder take on the disk. */
function folderMegabytes(folder: string): number {
  const blocks = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (name) => statSync(join(folder, name)).blocks,
  );
  return (blocks.reduce((sum, count) => sum + count, 0) * 512) / 2 ** 20;
}
