// Conversion of policy/v1beta1 PodDisruptionBudgets, where an empty selector matches no pods; in policy/v1 it matches
// all. Each version expresses the other's meaning with a reserved key, as in Kubernetes.

import { isObject } from '../../api/is-object.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import type { Conversion } from '../definition.ts';
import { at, listAt } from '../value.ts';

const KEY = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

/** A selector in policy/v1 that matches no pods. */
const NO_POD: JsonObject = { matchExpressions: [{ key: KEY, operator: 'Exists' }] };
/** A selector in policy/v1beta1 that matches all pods. */
const ALL_PODS: JsonObject = { matchExpressions: [{ key: KEY, operator: 'DoesNotExist' }] };

export const disruptionBudgetV1beta1: Conversion = {
  toStorage: (budget) => withSelector(budget, { empty: NO_POD, reserved: 'DoesNotExist' }),
  fromStorage: (budget) => withSelector(budget, { empty: ALL_PODS, reserved: 'Exists' }),
};

/**
 * @param empty replaces an empty selector in the other version
 * @param reserved operator with which the reserved key alone stands for the other version's empty selector
 */
function withSelector(budget: ApiObject, { empty, reserved }: { empty: JsonObject; reserved: string }): ApiObject {
  const selector = at(budget, 'spec', 'selector');
  if (!isObject(selector)) return budget;
  return { ...budget, spec: { ...(budget['spec'] as JsonObject), selector: converted(selector, empty, reserved) } };
}

function converted(selector: JsonObject, empty: JsonObject, reserved: string): JsonObject {
  const expressions = listAt(selector, 'matchExpressions');
  const labels = Object.keys((selector['matchLabels'] ?? {}) as JsonObject).length;
  if (expressions.length === 0 && labels === 0) return empty;
  const [only] = expressions;
  const isAlone = expressions.length === 1 && labels === 0;
  if (isAlone && isReserved(only) && at(only, 'operator') === reserved) return {};
  return withoutReserved(selector, expressions);
}

/** Combined with other terms, or with the wrong operator, the key has no meaning. */
function withoutReserved(selector: JsonObject, expressions: readonly Json[]): JsonObject {
  if (!expressions.some(isReserved)) return selector;
  const { matchExpressions: _all, ...rest } = selector;
  const kept = expressions.filter((each) => !isReserved(each));
  return kept.length === 0 ? rest : { ...rest, matchExpressions: kept };
}

function isReserved(expression: Json | undefined): boolean {
  return at(expression, 'key') === KEY;
}
