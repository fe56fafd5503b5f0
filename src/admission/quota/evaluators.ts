// Registry of quota evaluators by resource. All namespaced resources can be counted, including custom resources.

import type { ResourceDefinition } from '../../resources/definition.ts';
import { claimEvaluator } from './claim-evaluator.ts';
import { deviceClaimEvaluator } from './device-claim-evaluator.ts';
import { countEvaluator, type Evaluator } from './evaluator.ts';
import { podEvaluator } from './pod-evaluator.ts';
import { serviceEvaluator } from './service-evaluator.ts';

const OF_THE_CORE: ReadonlyMap<string, Evaluator> = new Map([
  ['pods', podEvaluator],
  ['services', serviceEvaluator],
  ['persistentvolumeclaims', claimEvaluator],
  // These may also be counted by their plain names.
  ...['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets'].map((name): [string, Evaluator] => [
    name,
    countEvaluator([`count/${name}`, name]),
  ]),
]);

/** Undefined for objects that expire, which are never counted. */
export function evaluatorOf({ group, resource, expires }: ResourceDefinition): Evaluator | undefined {
  if (expires === true) return undefined;
  if (group === 'resource.k8s.io' && resource === 'resourceclaims') return deviceClaimEvaluator;
  if (group !== '') return countEvaluator([`count/${resource}.${group}`]);
  return OF_THE_CORE.get(resource) ?? countEvaluator([`count/${resource}`]);
}
