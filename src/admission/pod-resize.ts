// The plugin PodResizeValidator: a pod that runs on a node is resized to what that node can hold, and on Linux only.

import { ApiError } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import { compareQuantities, parseQuantity, type Quantity, quantityValue } from '../api/quantity.ts';
import { goQuote } from '../base/go-quote.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import { textAt } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { isPodUpdate, refusal } from './concerns.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { amountsAt } from './quota/amounts.ts';
import { podRequirements } from './quota/pod-requirements.ts';
import { NODES } from './resources.ts';

const OPERATING_SYSTEM = 'kubernetes.io/os';
const ZERO = parseQuantity('0');

/** @param isOn the feature gate InPlacePodVerticalScaling */
export function podResizeValidator(objects: ObjectLookup, isOn: boolean): AdmissionPlugin {
  return {
    name: 'PodResizeValidator',
    admit: (admission) => (isOn && isPodUpdate(admission, ['resize']) ? judge(admission, objects) : undefined),
  };
}

function judge(admission: AdmissionRequest, objects: ObjectLookup): Soon<void> {
  const { object } = admission;
  const name = textAt(object, 'spec', 'nodeName');
  return whenThere(objects.find(NODES, '', name), (node) => {
    if (node === undefined) throw refusal(admission, `node ${goQuote(name)} not found`);
    const system = node.metadata.labels?.[OPERATING_SYSTEM] ?? 'linux';
    if (system !== 'linux') {
      const why = `pod resize is only supported on linux nodes, node ${goQuote(name)} is ${goQuote(system)}`;
      throw withCause(refusal(admission, why), 'UnsupportedPlatform');
    }
    const lacking = object === undefined ? [] : lackingAmounts(object, node);
    if (lacking.length === 0) return;
    const why = `node didn't have enough allocatable resources: ${lacking.join('; ')}`;
    throw withCause(refusal(admission, why), 'NodeCapacity');
  });
}

/** Of what the pod asks for more than the node has. */
function lackingAmounts(pod: ApiObject, node: ApiObject): string[] {
  // Only what is asked for counts, not what has been granted before.
  const requests = podRequirements({ ...pod, status: {} }, 'requests');
  const allocatable = amountsAt(node, 'status', 'allocatable');
  return (['cpu', 'memory'] as const).flatMap((resource) => {
    const [asked, there] = [requests.get(resource) ?? ZERO, allocatable.get(resource) ?? ZERO];
    if (compareQuantities(asked, there) <= 0) return [];
    const shown = resource === 'cpu' ? thousandths : quantityValue;
    return [`${resource}, requested: ${shown(asked)}, allocatable: ${shown(there)}`];
  });
}

function thousandths(amount: Quantity): bigint {
  return quantityValue({ ...amount, exponent: amount.exponent + 3 });
}

function withCause({ code, reason, message, details }: ApiError, cause: string): ApiError {
  return new ApiError({ code, reason, message, details: { ...details, causes: [{ reason: cause }] } });
}
