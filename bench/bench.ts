// The context passed to every group of rows: the working folder, durations, the output of rows, and shared ways to
// measure.

import type { ClosedLoop } from './closed-loop.ts';
import type { Figures } from './figures.ts';
import { LoadProcess } from './load.ts';
import { POD_BYTES, podText } from './pod.ts';
import { processorMicros } from './process-usage.ts';
import { ServerProcess, type Workplace } from './server-process.ts';
import { PODS } from './workloads.ts';

export interface Bench {
  readonly workplace: Workplace;
  readonly quick: boolean;
  /** How long a load runs before measurement starts, and during it. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly profileFolder: string | undefined;
  /** Reports a row. */
  readonly row: (name: string, figures: Figures) => void;
}

/** A server and a load generator for it. */
export interface Rig {
  readonly server: ServerProcess;
  readonly load: LoadProcess;
}

/** Runs `measure` with a fresh server, or with one on another's data. */
export async function withRig(
  bench: Bench,
  measure: (rig: Rig) => Promise<void>,
  { dataFolder, flags = [] }: { readonly dataFolder?: string; readonly flags?: readonly string[] } = {},
): Promise<void> {
  const { workplace, profileFolder } = bench;
  await using server = await ServerProcess.start({ workplace, dataFolder, profileFolder, flags });
  await using load = new LoadProcess(server.target);
  await measure({ server, load });
}

/** A server under load, with all its processes. */
export interface LoadedServer extends Pick<Rig, 'load'> {
  /** `others` are processes that do a part of its work, such as its etcd. */
  readonly server: Pick<ServerProcess, 'pid'> & { readonly others?: readonly number[] };
}

/** Runs one load, after a warm-up. */
export async function measureLoop(
  { warmUpSeconds, seconds }: Bench,
  { server, load }: LoadedServer,
  loop: Pick<ClosedLoop, 'connections' | 'streams'> & {
    /** The workloads of the warm-up and of the measurement. */
    readonly workload: (run: 'warm-up' | 'counted') => ClosedLoop['workload'];
  },
): Promise<Figures> {
  await load.loop({ ...loop, workload: loop.workload('warm-up'), seconds: warmUpSeconds });
  const used = () => [server.pid, ...(server.others ?? [])].reduce((sum, pid) => sum + processorMicros(pid), 0);
  const before = used();
  const outcome = await load.loop({ ...loop, workload: loop.workload('counted'), seconds });
  return {
    perSecond: outcome.requests / outcome.seconds,
    cpuMicros: (used() - before) / outcome.requests,
    p50Ms: outcome.p50Ms,
    p99Ms: outcome.p99Ms,
  };
}

/** How much padding a pod needs so that the server's response has the size of kube-apiserver's. */
export async function podPadding(load: LoadProcess): Promise<number> {
  const { status, bytes, kept } = await load.request({
    method: 'POST',
    path: `${PODS}?dryRun=All`,
    contentType: 'application/json',
    body: podText('measured'),
  });
  if (status !== 201) throw new Error(`a pod was not accepted: ${status} ${kept}`);
  return Math.max(0, POD_BYTES - bytes);
}

/** Creates pods `prefix`-0 and so on. */
export async function fill(load: LoadProcess, prefix: string, count: number): Promise<void> {
  const workload = { kind: 'create', prefix, padding: await podPadding(load) } as const;
  await load.loop({ connections: 8, streams: 8, workload, seconds: 0, requests: count });
}

export function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
