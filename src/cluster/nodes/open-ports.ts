// The ports of simulated pods: those that running containers declare are open, and of a container that declares none all
// are, since declaring them is voluntary. They speak HTTP. What they answer is what an annotation says, or who was asked
// for what. For port forwarding and for proxies.

import { AnnotationReader } from './annotations.ts';
import { isRunning } from './container-life.ts';
import type { ContainerRun } from './pod-run.ts';
import type { OpenPort } from './simulation.ts';
import type { MeasuredPod } from './usage-metrics.ts';

/** What answers at a port of a pod; undefined if it is closed. */
export function openPort({ pod, run }: MeasuredPod, port: number): OpenPort | undefined {
  const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  const started = containers.filter(({ name = '' }) => hasStarted(run.containers.get(name)));
  const declaring = started.find(({ ports = [] }) =>
    ports.some(({ containerPort, protocol = 'TCP' }) => containerPort === port && protocol === 'TCP'),
  );
  const container = declaring ?? started.find(({ ports = [] }) => ports.length === 0);
  if (container === undefined) return undefined;
  const reader = new AnnotationReader(pod.metadata.annotations);
  const said = reader.text(`answer.${container.name}`) ?? reader.text('answer');
  const { namespace, name } = pod.metadata;
  return ({ method, target }) => ({
    status: 200,
    contentType: 'text/plain; charset=utf-8',
    body: said ?? `${namespace}/${name}: ${method} ${target}\n`,
  });
}

function hasStarted(container: ContainerRun | undefined): boolean {
  return container !== undefined && isRunning(container);
}
