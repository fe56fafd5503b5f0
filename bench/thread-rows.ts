// One serving thread beside two, on the same machine as the load: how much more they serve in a second, at which processor
// time for each operation, and in how much memory.

import { type Bench, fill, measureLoop, withRig } from './bench.ts';
import { residentMegabytes } from './process-usage.ts';
import { watchFigures } from './watch-rows.ts';
import { PODS } from './workloads.ts';

const COUNT = 10_000;
/** As many as make it likely that each thread has its share. */
const CONNECTIONS = 16;

export async function threadRows(bench: Bench): Promise<void> {
  for (const threads of [1, 2]) {
    const served = `${threads} serving thread${threads === 1 ? '' : 's'}`;
    await withRig(
      bench,
      async (rig) => {
        const { server, load } = rig;
        await fill(load, 'threads', COUNT);
        const loops = [
          { name: 'get', path: `${PODS}/threads-5`, streams: 4 },
          { name: 'page of 500', path: `${PODS}?limit=500`, streams: 1 },
        ];
        for (const { name, path, streams } of loops) {
          const workload = () => ({ kind: 'get', path }) as const;
          bench.row(
            `${served}: ${name}`,
            await measureLoop(bench, rig, { connections: CONNECTIONS, streams, workload }),
          );
        }
        const workload = (run: string) => ({ kind: 'create', prefix: `${run}-threads`, padding: 0 }) as const;
        const creates = await measureLoop(bench, rig, { connections: CONNECTIONS, streams: 4, workload });
        bench.row(`${served}: create, 64 in flight`, creates);
        bench.row(`${served}: 200 watchers, flat out`, await watchFigures(bench, rig, CONNECTIONS));
        bench.row(`${served}: memory with ${COUNT.toLocaleString('en-US')} pods`, {
          megabytes: residentMegabytes(server.pid),
        });
      },
      { flags: [`--serving-threads=${threads}`] },
    );
  }
}
