// What a service is when it does not say: its type, where its ports lead, how traffic reaches it. Addresses and node
// ports are given out elsewhere.

import type { Json, JsonObject } from '../../../../api/object.ts';
import { fillIn, objectAt, objectIn, objectsAt } from '../../../fill-in.ts';
import { listAt } from '../../../value.ts';

/** Three hours: how long a client stays with the pod it was sent to. */
const AFFINITY_SECONDS = 10_800;

export function serviceDefaults(service: JsonObject): void {
  const balancer = objectAt(objectAt(service, 'status'), 'loadBalancer');
  for (const ingress of objectsAt(balancer, 'ingress')) {
    if (ingress['ip'] !== undefined) fillIn(ingress, { ipMode: 'VIP' });
  }
  const spec = objectAt(service, 'spec');
  if (spec === undefined) return;
  fillIn(spec, { type: 'ClusterIP', sessionAffinity: 'None' });
  affinityDefaults(spec);
  for (const port of objectsAt(spec, 'ports')) {
    fillIn(port, { protocol: 'TCP' });
    // Always written: 0 or '' where it was not said.
    port['targetPort'] ||= port['port'] as Json;
  }
  const { type } = spec;
  if (type === 'LoadBalancer') fillIn(spec, { allocateLoadBalancerNodePorts: true });
  if (isReachedFromOutside(spec)) fillIn(spec, { externalTrafficPolicy: 'Cluster' });
  if (type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer') {
    fillIn(spec, { internalTrafficPolicy: 'Cluster' });
  }
}

function affinityDefaults(spec: JsonObject): void {
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] !== 'ClientIP') return;
  const clientIp = objectIn(objectIn(spec, 'sessionAffinityConfig'), 'clientIP');
  fillIn(clientIp, { timeoutSeconds: AFFINITY_SECONDS });
}

function isReachedFromOutside(spec: JsonObject): boolean {
  switch (spec['type']) {
    case 'NodePort':
    case 'LoadBalancer':
      return true;
    case 'ClusterIP':
      return listAt(spec, 'externalIPs').length > 0;
    default:
      return false;
  }
}
