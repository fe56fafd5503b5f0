// Node selectors, evaluated against the labels and names of nodes.

import type { ApiObject, Json } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { int64Fault } from '../base/go-integer.ts';
import { listAt, textAt } from '../resources/value.ts';

/** Whether one of the terms selects the node. A term without requirements selects nothing. */
export function selectsNode(selector: Json | undefined, node: ApiObject): boolean {
  return listAt(selector, 'nodeSelectorTerms').some((term) => {
    const [labels, fields] = [listAt(term, 'matchExpressions'), listAt(term, 'matchFields')];
    if (labels.length + fields.length === 0) return false;
    const label = (key: string) => ownMember(node.metadata.labels ?? {}, key);
    const field = (key: string) => (key === 'metadata.name' ? node.metadata.name : '');
    return labels.every((each) => isMet(each, label)) && fields.every((each) => isMet(each, field));
  });
}

function isMet(requirement: Json, told: (key: string) => string | undefined): boolean {
  const value = told(textAt(requirement, 'key'));
  const values = listAt(requirement, 'values');
  switch (textAt(requirement, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return compares(value, values, (one, other) => one > other);
    case 'Lt':
      return compares(value, values, (one, other) => one < other);
    default:
      return false;
  }
}

function compares(
  value: string | undefined,
  [bound]: readonly Json[],
  compare: (one: bigint, other: bigint) => boolean,
): boolean {
  if (value === undefined || typeof bound !== 'string') return false;
  if (int64Fault(value) !== undefined || int64Fault(bound) !== undefined) return false;
  return compare(BigInt(value.replace('+', '')), BigInt(bound.replace('+', '')));
}
