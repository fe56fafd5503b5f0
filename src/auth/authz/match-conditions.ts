// Match conditions of authorization webhooks: CEL expressions over the SubjectAccessReview.

import type { Json, JsonObject } from '../../api/object.ts';
import { BOOL, listOf, mapOf, STRING, structType } from '../../cel/types/type.ts';
import { attempt } from '../../expressions/attempt.ts';
import { compileExpression } from '../../expressions/compiled-expression.ts';
import { STORED_EXPRESSIONS } from '../../expressions/environments.ts';
import { StructTypes } from '../../expressions/struct-types.ts';
import { readUntyped } from '../../expressions/untyped-value.ts';
import type { MatchCondition } from './webhook-authorizer.ts';

const STRINGS = listOf(STRING);
const SELECTOR = { rawSelector: STRING, requirements: listOf(structType('kubernetes.SelectorRequirement')) };
const TYPES = new StructTypes({
  'kubernetes.SelectorRequirement': { key: STRING, operator: STRING, values: STRINGS },
  'kubernetes.FieldSelectorAttributes': SELECTOR,
  'kubernetes.LabelSelectorAttributes': SELECTOR,
  'kubernetes.ResourceAttributes': {
    namespace: STRING,
    verb: STRING,
    group: STRING,
    version: STRING,
    resource: STRING,
    subresource: STRING,
    name: STRING,
    fieldSelector: structType('kubernetes.FieldSelectorAttributes'),
    labelSelector: structType('kubernetes.LabelSelectorAttributes'),
  },
  'kubernetes.NonResourceAttributes': { path: STRING, verb: STRING },
  'kubernetes.SubjectAccessReviewSpec': {
    resourceAttributes: structType('kubernetes.ResourceAttributes'),
    nonResourceAttributes: structType('kubernetes.NonResourceAttributes'),
    user: STRING,
    groups: STRINGS,
    extra: mapOf(STRING, STRINGS),
    uid: STRING,
  },
});
const REQUEST = { name: 'request', type: structType('kubernetes.SubjectAccessReviewSpec') };
const RESOURCE = { namespace: '', verb: '', group: '', version: '', resource: '', subresource: '', name: '' };

/** Compiles a condition, or returns its error. */
export function compileMatchCondition(text: string): { condition: MatchCondition } | { fault: string } {
  const environment = STORED_EXPRESSIONS.for(text).extend({ variables: [REQUEST], types: TYPES });
  const compiled = compileExpression(environment, text, { results: [BOOL] });
  if (compiled.fault !== undefined) return { fault: compiled.fault };
  return {
    condition: (spec) => {
      const outcome = attempt(compiled.program, { request: readUntyped(requestOf(spec)) });
      if (outcome.fault === undefined) return outcome.value === true;
      throw new Error(`cel evaluation error: expression '${text}' resulted in error: ${outcome.fault.message}`);
    },
  };
}

/** Empty fields of a review are present, except those of the other kind of request. */
function requestOf(spec: JsonObject): Json {
  const { resourceAttributes: resource, nonResourceAttributes: other } = spec;
  return {
    ...{ user: '', groups: [], uid: '', extra: {}, ...spec },
    ...(resource === undefined ? {} : { resourceAttributes: { ...RESOURCE, ...(resource as JsonObject) } }),
    ...(other === undefined ? {} : { nonResourceAttributes: { path: '', verb: '', ...(other as JsonObject) } }),
  };
}
