// Fan-out of writes to watchers. The deliveries include the server's time for the writes.

import { type Bench, fill, withRig } from './bench.ts';
import type { Figures } from './figures.ts';
import type { LoadProcess } from './load.ts';
import { processorMicros } from './process-usage.ts';

const WATCHERS = 200;
const SHAPES = [
  { watchers: WATCHERS, connections: 10 },
  { watchers: WATCHERS, connections: 200 },
  { watchers: 20, connections: 10 },
  { watchers: 2_000, connections: 200 },
];
const PODS_WRITTEN = 50;
const WRITES_PER_SECOND = 100;
/** So many deliveries in a second leave the server time for others. */
const DELIVERIES_PER_SECOND = 20_000;

export async function watchRows(bench: Bench): Promise<void> {
  await withRig(bench, async ({ server, load }) => {
    await fill(load, 'watched', PODS_WRITTEN);
    for (const { watchers, connections } of SHAPES) {
      await load.openWatches({ watchers, connections, prefix: 'watched', pods: PODS_WRITTEN });
      const name = `${watchers.toLocaleString('en-US')} watchers on ${connections} connections`;
      bench.row(`${name}, flat out`, await measureWrites(bench, { pid: server.pid, load }));
      const writesPerSecond = Math.min(WRITES_PER_SECOND, DELIVERIES_PER_SECOND / watchers);
      const paced = await measureWrites(bench, { pid: server.pid, load, writesPerSecond });
      bench.row(`${name}, ${writesPerSecond} writes/s`, paced);
      await load.close();
    }
  });
}

/** Flat out, with 200 watchers on so many connections. */
export async function watchFigures(
  bench: Bench,
  { server, load }: { readonly server: { readonly pid: number }; readonly load: LoadProcess },
  connections: number,
): Promise<Figures> {
  await fill(load, 'watched', PODS_WRITTEN);
  await load.openWatches({ watchers: WATCHERS, connections, prefix: 'watched', pods: PODS_WRITTEN });
  const figures = await measureWrites(bench, { pid: server.pid, load });
  await load.close();
  return figures;
}

async function measureWrites(
  { warmUpSeconds, seconds }: Bench,
  { pid, load, writesPerSecond }: { pid: number; load: LoadProcess; writesPerSecond?: number },
): Promise<Figures> {
  await load.write({ seconds: warmUpSeconds, writesPerSecond });
  const before = processorMicros(pid);
  const outcome = await load.write({ seconds, writesPerSecond });
  return {
    perSecond: outcome.deliveries / outcome.seconds,
    cpuMicros: (processorMicros(pid) - before) / outcome.deliveries,
    p50Ms: outcome.p50Ms,
    p99Ms: outcome.p99Ms,
  };
}
