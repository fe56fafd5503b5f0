// Defaults of Pod and pod templates, shared by all kinds that embed one.

import type { Draft } from '../../../../api/object.ts';
import { eachOf } from '../../../../base/resumed.ts';
import type { StrategyContext } from '../../../definition.ts';
import { fillIn } from '../../../fill-in.ts';
import { roundResourceList } from '../../../resource-list-defaults.ts';
import { settleAddresses } from '../plural-twins.ts';
import { volumeDefaults } from '../volume/defaults.ts';
import { containerDefaults, resourcesDefaults } from './container-defaults.ts';
import type { Container } from './container-objects.ts';
import type { Pod, PodSpec, PodTemplateSpec } from './objects.ts';
import { completesEarly, podResourcesDefaults } from './resources-defaults.ts';

/** Defaults of a pod: those of templates, and those of pods only. */
export function podDefaults(pod: Draft<Pod>, context: StrategyContext): void {
  dropFormerInitContainers(pod.metadata);
  const status = pod.status;
  if (status !== undefined) settleAddresses(status);
  const spec = pod.spec;
  if (spec === undefined) return;
  podSpecDefaults(spec, context);
  // Templates keep their values.
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  eachOf(runningContainers(spec), requestsFromLimits);
  if (completesEarly(context)) podResourcesDefaults(spec);
  fillIn(spec, { enableServiceLinks: true });
  if (spec.hostNetwork === true) eachOf(runningContainers(spec), hostPorts);
}

/** Defaults of a pod template in a workload. */
export function podTemplateDefaults(template: Draft<PodTemplateSpec> | undefined, context: StrategyContext): void {
  if (template?.metadata !== undefined) dropFormerInitContainers(template.metadata);
  const spec = template?.spec;
  if (spec !== undefined) podSpecDefaults(spec, context);
}

/** Annotations that held init containers before they were fields; Kubernetes keeps them in no pod and no template. */
const FORMER_INIT_CONTAINERS = ['alpha', 'beta'].flatMap((stage) =>
  ['init-containers', 'init-container-statuses'].map((name) => `pod.${stage}.kubernetes.io/${name}`),
);

function dropFormerInitContainers(metadata: { annotations?: Record<string, string> }): void {
  const { annotations } = metadata;
  if (annotations === undefined) return;
  for (const name of FORMER_INIT_CONTAINERS) {
    if (!Object.hasOwn(annotations, name)) continue;
    delete annotations[name];
    if (Object.keys(annotations).length === 0) delete metadata.annotations;
  }
}

function podSpecDefaults(spec: Draft<PodSpec>, context: StrategyContext): void {
  fillIn(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
  accountTwins(spec);
  roundResourceList(spec.overhead);
  resourcesDefaults(spec.resources);
  eachOf(spec.volumes ?? [], (volume) => volumeDefaults(volume, context));
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    eachOf(spec[list] ?? [], containerDefaults);
  }
}

/** `serviceAccount` is the deprecated name of `serviceAccountName` and mirrors it. */
function accountTwins(spec: Draft<PodSpec>): void {
  const name = (spec.serviceAccountName ?? '') || (spec.serviceAccount ?? '');
  if (name === '') return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

/** Absent requests default to limits. */
function requestsFromLimits(container: Draft<Container>): void {
  const resources = container.resources;
  const limits = resources === undefined ? undefined : resources.limits;
  if (resources === undefined || limits === undefined || Object.keys(limits).length === 0) return;
  fillIn((resources.requests ??= {}), limits);
}

/** With host networking, container ports are host ports. */
function hostPorts(container: Draft<Container>): void {
  for (const port of container.ports ?? []) fillIn(port, { hostPort: port.containerPort });
}

function runningContainers({ containers, initContainers }: Draft<PodSpec>): Draft<Container>[] {
  return [...(containers ?? []), ...(initContainers ?? [])];
}
