// Gets of one pod.

import { type Bench, fill, measureLoop, type Rig, withRig } from './bench.ts';
import type { Figures } from './figures.ts';
import { h2load, hasH2load } from './h2load.ts';
import { processorMicros } from './process-usage.ts';
import { PODS } from './workloads.ts';

interface Shape {
  readonly connections: number;
  readonly streams: number;
}

export async function getRows(bench: Bench): Promise<void> {
  const ours = !(await hasH2load());
  await withRig(bench, async (rig) => {
    await fill(rig.load, 'get', 10);
    await rig.load.close();
    for (const shape of [
      { connections: 10, streams: 8 },
      { connections: 64, streams: 1 },
    ]) {
      const figures = ours ? await ourGets(bench, rig, shape) : await h2loadGets(bench, rig, shape);
      bench.row(`get, ${shape.connections} connections x ${shape.streams}`, figures);
    }
  });
}

const PATH = `${PODS}/get-5`;

function ourGets(bench: Bench, rig: Rig, shape: Shape): Promise<Figures> {
  return measureLoop(bench, rig, { ...shape, workload: () => ({ kind: 'get', path: PATH }) });
}

async function h2loadGets({ warmUpSeconds, seconds }: Bench, { server }: Rig, shape: Shape): Promise<Figures> {
  await h2load(server.target, { ...shape, path: PATH, seconds: warmUpSeconds });
  const before = processorMicros(server.pid);
  const { requests, perSecond } = await h2load(server.target, { ...shape, path: PATH, seconds });
  return { perSecond, cpuMicros: (processorMicros(server.pid) - before) / requests };
}
