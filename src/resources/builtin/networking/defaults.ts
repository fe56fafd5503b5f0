// Defaults of networking kinds.

import type { Draft } from '../../../api/object.ts';
import { fillIn, fillInMembers } from '../../fill-in.ts';
import type { IngressClass, NetworkPolicy } from './v1-objects.ts';

/** A policy always applies to ingress, and to egress if it has egress rules. */
export function networkPolicyDefaults(policy: Draft<NetworkPolicy>): void {
  const spec = (policy.spec ??= {});
  const { ingress = [], egress = [] } = spec;
  for (const rule of [...ingress, ...egress]) {
    for (const port of rule.ports ?? []) fillIn(port, { protocol: 'TCP' });
  }
  fillInMembers(spec, { policyTypes: egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'] });
}

export function ingressClassDefaults(ingressClass: Draft<IngressClass>): void {
  const parameters = ingressClass.spec?.parameters;
  if (parameters !== undefined) fillIn(parameters, { scope: 'Cluster' });
}
