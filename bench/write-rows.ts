// Writes of pods to the durable store: what is answered is on the disk.

import { type Bench, fill, measureLoop, podPadding, withRig } from './bench.ts';
import type { ClosedLoop } from './closed-loop.ts';
import { diskRow } from './yardsticks.ts';

/** The heaviest first: it leaves the server warm for those in which requests are few. */
const SHAPES = [
  { connections: 8, streams: 8 },
  { connections: 4, streams: 4 },
  { connections: 1, streams: 1 },
];
const [HEAVIEST, , LIGHTEST] = SHAPES as [Shape, Shape, Shape];

type Shape = Pick<ClosedLoop, 'connections' | 'streams'>;

function inFlight({ connections, streams }: Shape): number {
  return connections * streams;
}

export async function createRows(bench: Bench): Promise<void> {
  diskRow(bench);
  await withRig(bench, async (rig) => {
    const padding = await podPadding(rig.load);
    for (const shape of SHAPES) {
      const figures = await measureLoop(bench, rig, {
        ...shape,
        workload: (run) => ({ kind: 'create', prefix: `create-${inFlight(shape)}-${run}`, padding }),
      });
      bench.row(`create, ${inFlight(shape)} in flight`, figures);
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
    await fill(rig.load, 'changed', inFlight(HEAVIEST));
    for (const shape of [HEAVIEST, LIGHTEST]) {
      const figures = await measureLoop(bench, rig, { ...shape, workload: () => ({ kind, prefix: 'changed' }) });
      bench.row(`${name}, ${inFlight(shape)} in flight`, figures);
    }
  });
}
