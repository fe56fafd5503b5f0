// Leases by which nodes show that they are there, renewed every ten seconds. Those of many nodes are renewed in ten
// groups, one a second.

import { isMissing } from '../../api/error-reasons.ts';
import { microTime } from '../../controllers/identity-lease.ts';
import type { Lease } from '../../resources/builtin/coordination/v1-objects.ts';
import type { Informer } from '../informer.ts';
import type { SimulatedNode } from './simulated-node.ts';

const NAMESPACE = 'kube-node-lease';
const LEASE_SECONDS = 40;
const RENEWAL_MS = 10_000;
/** Nodes whose leases are renewed together. */
const GROUP = 50;
const GROUPS = 10;

/** When a lease is renewed next. */
export function nextRenewalMs(number: number, nodes: number, nowMs: number): number {
  const groups = Math.max(1, Math.min(GROUPS, Math.ceil(nodes / GROUP)));
  const offset = (number % groups) * (RENEWAL_MS / groups);
  const period = Math.floor((nowMs - offset) / RENEWAL_MS) + 1;
  return period * RENEWAL_MS + offset;
}

/** Renews the lease of a node, or creates it. Returns whether it has one: its namespace may not exist yet. */
export async function renewLease(
  leases: Informer<Lease>,
  { name, uid, objects }: SimulatedNode,
  nowMs: number,
): Promise<boolean> {
  const metadata = { namespace: NAMESPACE, name };
  const spec = { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime: microTime(nowMs) };
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }];
  const renewed = await objects.update<Lease>(leases, { metadata }, (lease) => {
    lease.spec = { ...lease.spec, ...spec };
    lease.metadata.ownerReferences = ownerReferences;
    return true;
  });
  if (renewed !== undefined) return true;
  try {
    await objects.create<Lease>(leases, { metadata: { ...metadata, ownerReferences }, spec });
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
