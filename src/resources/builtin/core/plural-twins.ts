// Fields that were one value once and are a list now: the old field always shows the list's first item. Where the two
// differ the old one counts, for it is the one that old clients write. From the Kubernetes conventions for making a
// singular field plural.

import type { Draft } from '../../../api/object.ts';
import type { NodeSpec } from './node/objects.ts';
import type { PodStatus } from './pod/objects.ts';

/** Brings a node's ranges of addresses of pods in line. Changes its argument. */
export function settleRanges(spec: Draft<NodeSpec>): void {
  const { podCIDR: one = '', podCIDRs: [first = ''] = [] } = spec;
  if (one === '' && first !== '') spec.podCIDR = first;
  else if (one !== first) spec.podCIDRs = [one];
}

/** Brings a pod's addresses in line. Changes its argument. */
export function settleAddresses(status: Draft<PodStatus>): void {
  const { podIP: one = '', podIPs: [first] = [] } = status;
  const ip = first?.ip ?? '';
  if (one === '' && ip !== '') status.podIP = ip;
  else if (one !== ip) status.podIPs = [{ ip: one }];
}
