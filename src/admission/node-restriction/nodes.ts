// NodeRestriction for nodes: a node may write its own Node object, but not those of its labels and taints that affect
// scheduling.

import { equalJson } from '../../api/json-equal.ts';
import type { Json } from '../../api/object.ts';
import { goQuote } from '../../base/go-quote.ts';
import { at } from '../../resources/value.ts';
import { refusal } from '../concerns.ts';
import { type NodeWrite, nameOf } from './node-write.ts';

/** Labels that a kubelet sets for its machine. */
const KUBELET_LABELS = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);
const KUBELET_DOMAINS = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const RESTRICTED_DOMAIN = 'node-restriction.kubernetes.io';

export function admitNode({ node, admission }: NodeWrite): void {
  const { operation, object, previous } = admission;
  const self = `node ${goQuote(node)} is not allowed to`;
  const name = nameOf(admission);
  if (name !== node) throw refusal(admission, `${self} modify node ${goQuote(name)}`);
  const same = (...path: string[]) => isSame(at(object, ...path), at(previous, ...path));
  const labels = forbiddenLabels(object?.metadata.labels, previous?.metadata.labels).join(', ');
  const hasConfigSource = (at(object, 'spec', 'configSource') ?? null) !== null;
  if (operation === 'create') {
    if (hasConfigSource) throw refusal(admission, `${self} create pods with a non-nil configSource`);
    if (labels !== '') throw refusal(admission, `${self} set the following labels: ${labels}`);
  } else if (operation === 'update') {
    if (hasConfigSource && !same('spec', 'configSource')) {
      throw refusal(admission, `${self} update configSource to a new non-nil configSource`);
    }
    if (!same('spec', 'taints')) throw refusal(admission, `${self} modify taints`);
    if (!same('metadata', 'ownerReferences')) throw refusal(admission, `${self} modify ownerReferences`);
    if (labels !== '') throw refusal(admission, `is not allowed to modify labels: ${labels}`);
  }
}

/** Whether two values are equal; absent and empty lists are. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  const some = (value: Json | undefined) => (Array.isArray(value) && value.length === 0 ? null : (value ?? null));
  return equalJson(some(one), some(other));
}

type Labels = Readonly<Record<string, string>> | undefined;

/** Changed labels that a node may not set, sorted. */
function forbiddenLabels(labels: Labels = {}, before: Labels = {}): string[] {
  const keys = new Set([...Object.keys(labels), ...Object.keys(before)]);
  return [...keys].filter((key) => labels[key] !== before[key] && isForbidden(key)).sort();
}

function isForbidden(key: string): boolean {
  const slash = key.indexOf('/');
  const domain = slash < 0 ? '' : key.slice(0, slash);
  if (isWithin(domain, RESTRICTED_DOMAIN)) return true;
  const isOfKubernetes = isWithin(domain, 'kubernetes.io') || isWithin(domain, 'k8s.io');
  return isOfKubernetes && !KUBELET_LABELS.has(key) && !KUBELET_DOMAINS.some((each) => isWithin(domain, each));
}

function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}
