// Defaults of Service: type, target ports, session affinity and traffic policies. Addresses and node ports are
// allocated elsewhere.

import type { Draft } from '../../../../api/object.ts';
import type { StrategyContext } from '../../../definition.ts';
import { fillIn } from '../../../fill-in.ts';
import type { Service, ServiceSpec } from './objects.ts';

/** Three hours, the default session affinity timeout. */
const AFFINITY_SECONDS = 10_800;

export function serviceDefaults(service: Draft<Service>, { gateEnabled }: Pick<StrategyContext, 'gateEnabled'>): void {
  const spec = service.spec;
  if (spec === undefined) return;
  if (spec.type === 'LoadBalancer' && gateEnabled('LoadBalancerIPMode')) {
    for (const ingress of service.status?.loadBalancer?.ingress ?? []) {
      if ((ingress.ip ?? '') !== '') fillIn(ingress, { ipMode: 'VIP' });
    }
  }
  fillIn(spec, { type: 'ClusterIP', sessionAffinity: 'None' });
  affinityDefaults(spec);
  for (const port of spec.ports ?? []) {
    fillIn(port, { protocol: 'TCP' });
    // Always written: 0 or '' if absent.
    port.targetPort ||= port.port ?? 0;
  }
  const { type } = spec;
  if (type === 'LoadBalancer') fillIn(spec, { allocateLoadBalancerNodePorts: true });
  if (isReachedFromOutside(spec)) fillIn(spec, { externalTrafficPolicy: 'Cluster' });
  if (type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer') {
    fillIn(spec, { internalTrafficPolicy: 'Cluster' });
  }
}

function affinityDefaults(spec: Draft<ServiceSpec>): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  const clientIp = ((spec.sessionAffinityConfig ??= {}).clientIP ??= {});
  fillIn(clientIp, { timeoutSeconds: AFFINITY_SECONDS });
}

function isReachedFromOutside(spec: Draft<ServiceSpec>): boolean {
  switch (spec.type) {
    case 'NodePort':
    case 'LoadBalancer':
      return true;
    case 'ClusterIP':
      return (spec.externalIPs ?? []).length > 0;
    default:
      return false;
  }
}
