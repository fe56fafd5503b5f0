// Lists of 10,000 pods: whole, in pages, by label, and the memory that several concurrent whole lists take.

import { type Bench, fill, measureLoop, pause, type Rig, withRig } from './bench.ts';
import { forgetPeak, peakMegabytes, residentMegabytes } from './process-usage.ts';
import { PODS, type Workload } from './workloads.ts';

const COUNT = 10_000;
const LISTS_AT_ONCE = 8;

export async function listRows(bench: Bench): Promise<void> {
  let dataFolder: string | undefined;
  await withRig({ ...bench, profileFolder: undefined }, async ({ server, load }) => {
    await fill(load, 'listed', COUNT);
    dataFolder = server.dataFolder;
  });
  // Restarts on the same data: without the garbage of the writes, memory shows the lists alone.
  await withRig(
    bench,
    async (rig) => {
      await memoryOfLists(bench, rig);
      const lists: [name: string, workload: Workload][] = [
        ['list of 10,000', { kind: 'get', path: PODS }],
        ['page of 500 of 10,000', { kind: 'pages', limit: 500 }],
        ['list of 10 in 10,000 by label', { kind: 'get', path: `${PODS}?labelSelector=picked%3Dyes` }],
      ];
      for (const [name, workload] of lists) {
        const { perSecond: _, ...figures } = await measureLoop(bench, rig, {
          connections: 1,
          streams: 1,
          workload: () => workload,
        });
        bench.row(name, figures);
      }
    },
    { dataFolder },
  );
}

async function memoryOfLists({ row }: Bench, { server, load }: Rig): Promise<void> {
  const connections = LISTS_AT_ONCE;
  // The connections, and the watch cache, are there before.
  await load.loop({
    connections,
    streams: 1,
    workload: { kind: 'get', path: `${PODS}?limit=1` },
    seconds: 0,
    requests: connections,
  });
  await pause(2);
  const before = residentMegabytes(server.pid);
  forgetPeak(server.pid);
  const { p99Ms } = await load.loop({
    connections,
    streams: 1,
    workload: { kind: 'get', path: PODS },
    seconds: 0,
    requests: connections,
  });
  row(`memory that ${LISTS_AT_ONCE} lists of 10,000 add`, { megabytes: peakMegabytes(server.pid) - before, ms: p99Ms });
}
