// Gets of one pod, and of a fixed response from the bare server.

import { type Bench, fill, withRig } from './bench.ts';
import type { LoopOutcome } from './closed-loop.ts';
import type { Figures } from './figures.ts';
import { h2load, hasH2load } from './h2load.ts';
import type { Target } from './http2-connection.ts';
import { LoadProcess } from './load.ts';
import { processorMicros } from './process-usage.ts';
import { PODS } from './workloads.ts';
import { withBareServer } from './yardsticks.ts';

const PATH = `${PODS}/get-5`;
const SHAPES = [
  { connections: 10, streams: 8 },
  { connections: 64, streams: 1 },
];

type Shape = (typeof SHAPES)[number];
type GetFor = (target: Target, load: Shape & { seconds: number }) => Promise<Pick<LoopOutcome, 'requests' | 'seconds'>>;

export async function getRows(bench: Bench): Promise<void> {
  const get = (await hasH2load()) ? getByH2load : getByOurs;
  await withRig(bench, async ({ server, load }) => {
    await fill(load, 'get', 10);
    await load.close();
    const { target, pid, dataFolder } = server;
    for (const shape of SHAPES) {
      const name = `${shape.connections} connections x ${shape.streams}`;
      bench.row(`get, ${name}`, await measureGets(bench, { get, target, pid, shape }));
      await withBareServer(dataFolder, async (bare) => {
        const figures = await measureGets(bench, { get, target: { ...target, url: bare.url }, pid: bare.pid, shape });
        bench.row(`yardstick: bare node:http2, ${name}`, figures);
      });
    }
  });
}

async function measureGets(
  { warmUpSeconds, seconds }: Bench,
  { get, target, pid, shape }: { get: GetFor; target: Target; pid: number; shape: Shape },
): Promise<Figures> {
  await get(target, { ...shape, seconds: warmUpSeconds });
  const before = processorMicros(pid);
  const outcome = await get(target, { ...shape, seconds });
  return {
    perSecond: outcome.requests / outcome.seconds,
    cpuMicros: (processorMicros(pid) - before) / outcome.requests,
  };
}

const getByH2load: GetFor = (target, load) => h2load(target, { ...load, path: PATH });

const getByOurs: GetFor = async (target, load) => {
  await using generator = new LoadProcess(target);
  return await generator.loop({ ...load, workload: { kind: 'get', path: PATH } });
};
