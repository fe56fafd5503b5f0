// What networking kinds are when they do not say.

import type { JsonObject } from '../../../api/object.ts';
import { fillIn, fillInMembers, objectAt, objectIn, objectsAt } from '../../fill-in.ts';

/** A policy is one of ingress always, and of egress when it has rules of it. */
export function networkPolicyDefaults(policy: JsonObject): void {
  const spec = objectIn(policy, 'spec');
  const egress = objectsAt(spec, 'egress');
  for (const rule of [...objectsAt(spec, 'ingress'), ...egress]) {
    for (const port of objectsAt(rule, 'ports')) fillIn(port, { protocol: 'TCP' });
  }
  fillInMembers(spec, { policyTypes: egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'] });
}

export function ingressClassDefaults(ingressClass: JsonObject): void {
  const parameters = objectAt(objectAt(ingressClass, 'spec'), 'parameters');
  if (parameters !== undefined) fillIn(parameters, { scope: 'Cluster' });
}
