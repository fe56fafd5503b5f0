// A cluster that lives within a process, measured in a fresh process: its Deployments become ready, or time passes.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { builtTesting } from './built.ts';

/** What is measured. */
export interface ClusterTask {
  readonly nodes: number;
  /** Deployments, and the replicas of each. */
  readonly deployments: number;
  readonly replicas: number;
  /** How far the clock advances after that; nothing if undefined. */
  readonly advance?: string;
}

/** From the first Deployment on, or of the advance alone. */
export interface ClusterRun {
  readonly ms: number;
  readonly cpuMs: number;
  readonly longestMs: number;
  readonly megabytes: number;
}

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const MEGABYTE = 1024 * 1024;

const { startTestServer } = await builtTesting();

function deployment(name: string, replicas: number): object {
  const labels = { app: name };
  const resources = { requests: { cpu: '100m', memory: '64Mi' } };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx', resources }] } };
  return { metadata: { name }, spec: { replicas, selector: { matchLabels: labels }, template } };
}

async function run({ nodes, deployments, replicas, advance }: ClusterTask): Promise<ClusterRun> {
  await using server = await startTestServer({ nodes });
  await server.cluster.settled();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const begin = () => {
    delays.reset();
    delays.enable();
    return { startMs: performance.now(), cpu: process.cpuUsage() };
  };
  let from = begin();
  for (let each = 0; each < deployments; each++) {
    await server.request('POST', DEPLOYMENTS, deployment(`web-${each}`, replicas));
  }
  await server.cluster.settled();
  const { body } = await server.request('GET', DEPLOYMENTS);
  const { items } = body as { items: readonly { status: { readyReplicas?: number } }[] };
  const ready = items.reduce((sum, { status }) => sum + (status.readyReplicas ?? 0), 0);
  if (ready !== deployments * replicas) throw new Error(`${ready} pods are ready`);
  if (advance !== undefined) {
    from = begin();
    await server.clock!.advance(advance);
  }
  const { user, system } = process.cpuUsage(from.cpu);
  return {
    ms: performance.now() - from.startMs,
    cpuMs: (user + system) / 1000,
    longestMs: delays.max / 1e6,
    megabytes: process.memoryUsage.rss() / MEGABYTE,
  };
}

process.once('message', async (task: ClusterTask) => {
  process.send!(await run(task));
  process.disconnect!();
});
