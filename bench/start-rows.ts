// Rows for starting and idling: the time until a server is ready, and its memory when idle.

import { Buffer } from 'node:buffer';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Bench, pause, withRig } from './bench.ts';
import { openConnection } from './http2-connection.ts';
import type { InProcessStart } from './in-process-start.ts';
import { median } from './latencies.ts';
import { podText } from './pod.ts';
import { processorMicros, residentMegabytes } from './process-usage.ts';
import { ServerProcess } from './server-process.ts';
import type { SuiteOfServers } from './suite-of-servers.ts';
import { PODS } from './workloads.ts';

const RUNS = 5;
const COLD_CREATES = 300;

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
  await cold(bench, compileCache);
  await inProcess(bench);
  await suiteOfServers(bench);
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

/** What a fresh process costs for its first writes, as in a test that starts a server for itself. */
async function cold({ workplace, quick, row }: Bench, compileCache: string): Promise<void> {
  const firsts: number[] = [];
  const others: number[] = [];
  for (let run = 0; run < (quick ? 3 : RUNS); run++) {
    await using server = await ServerProcess.start({ workplace, compileCache });
    const connection = await openConnection(server.target);
    const create = async (name: string): Promise<void> => {
      const body = Buffer.from(podText(name));
      const { status } = await connection.request({
        method: 'POST',
        path: PODS,
        contentType: 'application/json',
        body,
      });
      if (status !== 201) throw new Error(`a pod was not accepted: ${status}`);
    };
    await create('first');
    const firstMicros = processorMicros(server.pid);
    for (let at = 0; at < COLD_CREATES; at++) await create(`cold-${at}`);
    others.push((processorMicros(server.pid) - firstMicros) / COLD_CREATES);
    firsts.push(firstMicros);
    connection.close();
  }
  row('cold: start to the first 201', { cpuMicros: median(firsts) });
  row(`cold: each of the next ${COLD_CREATES} creates, 1 in flight`, { cpuMicros: median(others) });
}

/** A hundred small tests with a server each, in one process. */
async function suiteOfServers({ workplace, row }: Bench): Promise<void> {
  const child = fork(join(import.meta.dirname, 'suite-of-servers.ts'), {
    env: { ...process.env, NODE_COMPILE_CACHE: join(workplace.folder, 'compile-cache') },
  });
  const ended = once(child, 'exit');
  const [suite] = (await Promise.race([once(child, 'message'), ended])) as [SuiteOfServers | number];
  if (typeof suite === 'number') throw new Error('the suite of servers failed');
  await ended;
  row('cold: each of 100 test servers in a process', { ms: suite.ms, cpuMicros: suite.cpuMicros });
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
