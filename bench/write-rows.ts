// Writes of pods to the durable store: what is answered is on the disk.

import { type Bench, fill, measureLoop, podPadding, withRig } from './bench.ts';

const SHAPES = [
  { connections: 1, streams: 1 },
  { connections: 4, streams: 4 },
  { connections: 8, streams: 8 },
];
const LAST_SHAPE = SHAPES.at(-1)!;

export async function createRows(bench: Bench): Promise<void> {
  await withRig(bench, async (rig) => {
    const padding = await podPadding(rig.load);
    for (const shape of SHAPES) {
      const inFlight = shape.connections * shape.streams;
      const figures = await measureLoop(bench, rig, {
        ...shape,
        workload: (run) => ({ kind: 'create', prefix: `create-${inFlight}-${run}`, padding }),
      });
      bench.row(`create, ${inFlight} in flight`, figures);
    }
  });
}

export function updateRows(bench: Bench): Promise<void> {
  return changeRows(bench, 'update', 'update');
}

export function patchRows(bench: Bench): Promise<void> {
  return changeRows(bench, 'merge patch', 'merge-patch');
}

async function changeRows(bench: Bench, name: string, kind: 'update' | 'merge-patch'): Promise<void> {
  await withRig(bench, async (rig) => {
    const inFlight = LAST_SHAPE.connections * LAST_SHAPE.streams;
    await fill(rig.load, 'changed', inFlight);
    for (const shape of [SHAPES[0]!, LAST_SHAPE]) {
      const figures = await measureLoop(bench, rig, { ...shape, workload: () => ({ kind, prefix: 'changed' }) });
      bench.row(`${name}, ${shape.connections * shape.streams} in flight`, figures);
    }
  });
}
