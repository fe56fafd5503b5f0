// Selection of nodes by the terms that pods and persistent volumes use: a node has to match one of them, and all
// requirements of that one. What cannot be understood matches nothing.

import { ownMember } from '../api/own-member.ts';
import type { Node } from '../resources/builtin/core/node/objects.ts';
import type { Pod } from '../resources/builtin/core/pod/objects.ts';
import type {
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
} from '../resources/builtin/core/pod/scheduling-objects.ts';

/** The part of a node that terms are about. */
type SelectedNode = Pick<Node, 'metadata'>;

/** Whether a node is one of those that a pod requires: by its nodeSelector and its node affinity. */
export function matchesRequired({ spec }: Pod, node: SelectedNode): boolean {
  for (const [key, value] of Object.entries(spec?.nodeSelector ?? {})) {
    if (ownMember(node.metadata.labels, key) !== value) return false;
  }
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || matchesSelector(required, node);
}

/** Whether a node matches one of the terms. */
export function matchesSelector({ nodeSelectorTerms }: NodeSelector, node: SelectedNode): boolean {
  return nodeSelectorTerms?.some((term) => matchesTerm(term, node)) ?? false;
}

/** Whether a node meets all requirements of a term; one without requirements matches nothing. */
export function matchesTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  node: SelectedNode,
): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  return (
    matchExpressions.every((each) => matchesRequirement(each, ownMember(node.metadata.labels, each.key ?? ''))) &&
    matchFields.every((each) => matchesField(each, node))
  );
}

function matchesRequirement({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return isAbove(value, values[0]);
    case 'Lt':
      return isAbove(values[0], value);
    default:
      return false;
  }
}

/** Whether both are whole numbers and the first is the greater one. */
function isAbove(one: string | undefined, other: string | undefined): boolean {
  const whole = /^[-+]?\d+$/;
  if (one === undefined || other === undefined || !whole.test(one) || !whole.test(other)) return false;
  return BigInt(one.replace(/^\+/, '')) > BigInt(other.replace(/^\+/, ''));
}

/** The only field is the name of the node. */
function matchesField({ key, operator, values = [] }: NodeSelectorRequirement, { metadata }: SelectedNode): boolean {
  const [value] = values;
  if (value === undefined || values.length !== 1) return false;
  const actual = key === 'metadata.name' ? metadata.name : '';
  if (operator === 'In') return actual === value;
  return operator === 'NotIn' && actual !== value;
}
