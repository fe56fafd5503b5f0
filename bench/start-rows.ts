// Rows for starting and idling: the time until a server is ready, and its memory when idle.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Bench, pause, withRig } from './bench.ts';
import type { InProcessStart } from './in-process-start.ts';
import { median } from './latencies.ts';
import { residentMegabytes } from './process-usage.ts';
import { ServerProcess } from './server-process.ts';

const RUNS = 5;

export async function startRows(bench: Bench): Promise<void> {
  const { workplace, row } = bench;
  const runs = bench.quick ? 3 : RUNS;
  row('ready, nothing compiled', {
    ms: await medianOf(runs, async () => (await readyMs(bench, { compileCache: workplace.newFolder() })).ms),
  });
  const compileCache = workplace.newFolder();
  const { dataFolder } = await readyMs(bench, { compileCache });
  row('ready, compiled before', { ms: await medianOf(runs, async () => (await readyMs(bench, { compileCache })).ms) });
  row('ready, on data of its own', {
    ms: await medianOf(runs, async () => (await readyMs(bench, { compileCache, dataFolder })).ms),
  });
  await inProcess(bench);
  await withRig(bench, async ({ server }) => {
    await pause(2);
    row('idle memory', { megabytes: residentMegabytes(server.pid) });
  });
}

async function readyMs(
  { workplace }: Bench,
  folders: { compileCache: string; dataFolder?: string },
): Promise<{ ms: number; dataFolder: string }> {
  await using server = await ServerProcess.start({ workplace, ...folders });
  return { ms: server.readyMs, dataFolder: server.dataFolder };
}

async function inProcess({ workplace, row }: Bench): Promise<void> {
  const compileCache = workplace.newFolder();
  const starts: InProcessStart[] = [];
  for (let run = 0; run <= RUNS; run++) starts.push(await startInProcess(compileCache));
  // The first has filled the compile cache.
  starts.shift();
  row('in process, to the first answer', { ms: median(starts.map((start) => start.answeredMs)) });
  row('in process, import before that', { ms: median(starts.map((start) => start.importMs)) });
}

async function startInProcess(compileCache: string): Promise<InProcessStart> {
  const child = fork(join(import.meta.dirname, 'in-process-start.ts'), {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  });
  const ended = once(child, 'exit');
  const [start] = (await Promise.race([once(child, 'message'), ended])) as [InProcessStart | number];
  if (typeof start === 'number') throw new Error('a server within a process did not start');
  await ended;
  return start;
}

async function medianOf(runs: number, measure: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let run = 0; run < runs; run++) values.push(await measure());
  return median(values);
}
