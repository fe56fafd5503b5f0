// Measures how the processor time of a request grows with the number of items in one list: superlinear growth shows as a factor.

import { createCatalog } from '../../src/resources/catalog.ts';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { processorMs } from '../turns/longest-turn.ts';
import { type Fillable, fillables, filled } from './lists.ts';

const FEW = 1_000;
const MANY = 8_000;
/** Linear work takes 8 times as long for 8 times the items, quadratic work 64 times. */
const MAX_FACTOR = 24;
/** Shorter times say nothing about growth. */
const MIN_MS = 150;
/** Garbage collection makes one run slow, not each of them. */
const TRIES = 3;

export interface Growth {
  readonly field: string;
  readonly request: string;
  readonly fewMs: number;
  readonly manyMs: number;
}

type Send = (server: TestServer, fillable: Fillable, count: number) => Promise<void>;

const REQUESTS: Readonly<Record<string, Send>> = {
  create: async (server, fillable, count) => {
    await server.request('POST', `${collection(fillable)}?dryRun=All`, filled(fillable, count));
  },
  apply: async (server, fillable, count) => {
    const path = `${collection(fillable)}/a?dryRun=All&fieldManager=m&force=true`;
    await server.patch(path, filled(fillable, count), 'application/apply-patch+yaml');
  },
  strategic: async (server, fillable, count) => {
    await server.patch(
      `${collection(fillable)}/a?dryRun=All`,
      filled(fillable, count),
      'application/strategic-merge-patch+json',
    );
  },
};

function collection({ definition, version }: Fillable): string {
  const { group, namespaced, resource } = definition;
  const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${prefix}${namespaced ? '/namespaces/default' : ''}/${resource}`;
}

/** Returns everything that grows faster than linearly, for the fields whose name `matches`. */
export async function superlinear(matches: (name: string) => boolean, told: (line: string) => void): Promise<Growth[]> {
  await using server = await startTestServer({ runtimeConfig: { 'api/all': 'true' } });
  const found: Growth[] = [];
  for (const fillable of fillables(createCatalog().definitions).filter(({ name }) => matches(name))) {
    for (const [request, send] of Object.entries(REQUESTS)) {
      const growth = { field: fillable.name, request, ...(await measured((count) => send(server, fillable, count))) };
      if (!isSuperlinear(growth)) continue;
      found.push(growth);
      told(
        `${growth.field} ${request}: ${growth.fewMs.toFixed(0)} ms for ${FEW}, ${growth.manyMs.toFixed(0)} ms for ${MANY}`,
      );
    }
  }
  return found;
}

export function isSuperlinear({ fewMs, manyMs }: Pick<Growth, 'fewMs' | 'manyMs'>): boolean {
  return manyMs >= MIN_MS && manyMs >= fewMs * MAX_FACTOR;
}

/** @param prepare runs before, and is not measured */
export async function measured(
  run: (count: number) => Promise<void>,
  prepare: (count: number) => Promise<void> = async () => {},
): Promise<{ fewMs: number; manyMs: number }> {
  await prepare(FEW);
  await prepare(MANY);
  let [fewMs, manyMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < TRIES; attempt++) {
    fewMs = Math.min(fewMs, await timed(() => run(FEW)));
    manyMs = Math.min(manyMs, await timed(() => run(MANY)));
    if (!isSuperlinear({ fewMs, manyMs })) break;
  }
  return { fewMs, manyMs };
}

/** Processor time of the thread, in which the server runs, too: a busy machine does not change it. */
async function timed(run: () => Promise<void>): Promise<number> {
  const start = processorMs();
  await run();
  return processorMs() - start;
}
