// Rows for clusters that live: Deployments that become ready on simulated nodes, and time that passes. Each is measured in
// a process of its own that nothing has warmed up.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import type { ClusterRun, ClusterTask } from './living-cluster.ts';

export async function clusterRows({ quick, row }: Bench): Promise<void> {
  const three = await measured({ nodes: 3, deployments: 1, replicas: 3 });
  row('cluster: three replicas', { ms: three.ms, cpuMicros: three.cpuMs * 1000 });
  const sizes = [
    { nodes: 300, deployments: 10, replicas: 500 },
    ...(quick ? [] : [{ nodes: 1_000, deployments: 60, replicas: 500 }]),
  ];
  for (const size of sizes) {
    const { ms, cpuMs, longestMs, megabytes } = await measured(size);
    const pods = size.deployments * size.replicas;
    const name = `cluster: ${pods.toLocaleString('en-US')} pods on ${size.nodes.toLocaleString('en-US')} nodes`;
    row(name, { ms, cpuMicros: (cpuMs * 1000) / pods, longestMs, megabytes });
  }
  const { ms, longestMs } = await measured({ nodes: 3, deployments: 1, replicas: 3, advance: '24h' });
  row('cluster: a day of three nodes', { ms, longestMs });
}

async function measured(task: ClusterTask): Promise<ClusterRun> {
  const child = fork(join(import.meta.dirname, 'living-cluster.ts'));
  const ended = once(child, 'exit');
  child.send(task);
  const [run] = (await Promise.race([once(child, 'message'), ended])) as [ClusterRun | number];
  if (typeof run === 'number') throw new Error('the cluster did not become ready');
  await ended;
  return run;
}
