// What a pod is when it does not say, and what the template of a pod is: all kinds that embed one share these.

import type { Json, JsonObject } from '../../../../api/object.ts';
import type { BehaviourContext } from '../../../definition.ts';
import { fillIn, objectAt, objectIn, objectsAt } from '../../../fill-in.ts';
import { roundResourceList } from '../../../resource-list-defaults.ts';
import { numberAt, textAt } from '../../../value.ts';
import { POD_ADDRESSES, settleTwins } from '../plural-twins.ts';
import { volumeDefaults } from '../volume/defaults.ts';
import { containerDefaults, resourcesDefaults } from './container-defaults.ts';
import { dropGatedFields } from './gated-fields.ts';
import { podResourcesDefaults } from './resources-defaults.ts';

/** A pod: what its spec says in any template, and what only a pod itself settles. */
export function podDefaults(pod: JsonObject, context: BehaviourContext): void {
  const status = objectAt(pod, 'status');
  if (status !== undefined) settleTwins(status, POD_ADDRESSES);
  const spec = objectAt(pod, 'spec');
  if (spec === undefined) return;
  podSpecDefaults(spec, context);
  // Templates keep what they say.
  if (numberAt(spec, 'terminationGracePeriodSeconds') < 0) spec['terminationGracePeriodSeconds'] = 1;
  for (const container of runningContainers(spec)) requestsFromLimits(container);
  if (context.gateEnabled('PodLevelResources')) podResourcesDefaults(spec);
  fillIn(spec, { enableServiceLinks: true });
  if (spec['hostNetwork'] === true) runningContainers(spec).forEach(hostPorts);
}

/** A template of pods, as deployments, jobs and the like have one. */
export function podTemplateDefaults(template: JsonObject | undefined, context: BehaviourContext): void {
  const spec = objectAt(template, 'spec');
  if (spec !== undefined) podSpecDefaults(spec, context);
}

export function podSpecDefaults(spec: JsonObject, context: BehaviourContext): void {
  dropGatedFields(spec, context);
  fillIn(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
  accountTwins(spec);
  roundResourceList(spec['overhead']);
  resourcesDefaults(objectAt(spec, 'resources'));
  for (const volume of objectsAt(spec, 'volumes')) volumeDefaults(volume);
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of objectsAt(spec, list)) containerDefaults(container);
  }
}

/** `serviceAccount` is the old name of `serviceAccountName`, and always shows the same. */
function accountTwins(spec: JsonObject): void {
  const name = textAt(spec, 'serviceAccountName') || textAt(spec, 'serviceAccount');
  if (name === '') return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
}

/** What is not requested is requested up to its limit. */
function requestsFromLimits(container: JsonObject): void {
  const resources = objectAt(container, 'resources');
  const limits = resources === undefined ? undefined : objectAt(resources, 'limits');
  if (resources === undefined || limits === undefined || Object.keys(limits).length === 0) return;
  fillIn(objectIn(resources, 'requests'), limits);
}

/** In the node's network a container's ports are the node's. */
function hostPorts(container: JsonObject): void {
  for (const port of objectsAt(container, 'ports')) fillIn(port, { hostPort: port['containerPort'] as Json });
}

function runningContainers(spec: JsonObject): JsonObject[] {
  return [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
}
