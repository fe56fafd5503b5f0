// Rows for memory: the resident memory of the server's process with many pods, some seconds after the last was created.

import { type Bench, fill, pause, withRig } from './bench.ts';
import { residentMegabytes } from './process-usage.ts';

export async function memoryRows(bench: Bench): Promise<void> {
  await withRig(bench, async ({ server, load }) => {
    let there = 0;
    for (const pods of bench.quick ? [10_000] : [10_000, 100_000]) {
      await fill(load, `held-${pods}`, pods - there);
      there = pods;
      await pause(2);
      bench.row(`memory with ${pods.toLocaleString('en-US')} pods`, { megabytes: residentMegabytes(server.pid) });
    }
  });
}
