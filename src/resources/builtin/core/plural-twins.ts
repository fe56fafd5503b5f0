// Fields that used to hold one value and now have a list form: the old field mirrors the first item of the list. If the
// two differ, the old one wins, because old clients write it. See the Kubernetes API conventions for making a singular
// field plural.

import type { Draft } from '../../../api/object.ts';
import type { NodeSpec } from './node/objects.ts';
import type { PodStatus } from './pod/objects.ts';

/** Synchronizes a node's pod CIDRs. Modifies its argument. */
export function settleRanges(spec: Draft<NodeSpec>): void {
  const { podCIDR: one = '', podCIDRs: [first = ''] = [] } = spec;
  if (one === '' && first !== '') spec.podCIDR = first;
  else if (one !== first) spec.podCIDRs = [one];
}

/** Synchronizes a pod's IP addresses. Modifies its argument. */
export function settleAddresses(status: Draft<PodStatus>): void {
  const { podIP: one = '', podIPs: [first] = [] } = status;
  const ip = first?.ip ?? '';
  if (one === '' && ip !== '') status.podIP = ip;
  else if (one !== ip) status.podIPs = [{ ip: one }];
}
