// Writes to the durable store: a response means that the write is on disk.

import { type Bench, fill, measureLoop, pause, podPadding, type Rig, withRig } from './bench.ts';
import type { ClosedLoop } from './closed-loop.ts';
import { DEFINITIONS, GADGETS, gadgetDefinition } from './gadget.ts';
import { diskRow } from './yardsticks.ts';

/** The heaviest first: it warms the server up for those with few requests. */
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

/** New pods by server-side apply, and repeated applies, which change nothing. */
export function applyRows(bench: Bench): Promise<void> {
  return withRig(bench, async (rig) => {
    for (const shape of [HEAVIEST, LIGHTEST]) {
      const figures = await measureLoop(bench, rig, {
        ...shape,
        workload: (run) => ({ kind: 'apply-new', prefix: `apply-${inFlight(shape)}-${run}` }),
      });
      bench.row(`apply of a new object, ${inFlight(shape)} in flight`, figures);
    }
    const workload = { kind: 'apply-again', prefix: 'applied' } as const;
    bench.row(
      `apply that changes nothing, ${inFlight(HEAVIEST)} in flight`,
      await measureLoop(bench, rig, { ...HEAVIEST, workload: () => workload }),
    );
  });
}

export function customRows(bench: Bench): Promise<void> {
  return withRig(bench, async (rig) => {
    await defineGadgets(rig);
    const figures = await measureLoop(bench, rig, {
      ...HEAVIEST,
      workload: (run) => ({ kind: 'create-custom', prefix: `gadget-${run}` }),
    });
    bench.row(`create of a custom object, ${inFlight(HEAVIEST)} in flight`, figures);
  });
}

/** Resolves when they are served. */
async function defineGadgets({ load }: Rig): Promise<void> {
  const contentType = 'application/json';
  const { status, kept } = await load.request({
    method: 'POST',
    path: DEFINITIONS,
    contentType,
    body: gadgetDefinition(),
  });
  if (status !== 201) throw new Error(`the definition was not accepted: ${status} ${kept}`);
  while ((await load.request({ method: 'GET', path: GADGETS, body: '' })).status !== 200) await pause(0.05);
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
