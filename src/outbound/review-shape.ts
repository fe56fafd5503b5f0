// Types of the fields of reviews that webhooks of authentication, authorization and image policies answer with: in a
// response with a field of a wrong type nothing counts, in particular not its approval.

import { type GoShape, type GoStruct, goShapeFault } from '../api/go-shape.ts';
import type { JsonObject } from '../api/object.ts';
import { lookup } from '../base/lookup.ts';

const texts = (...names: readonly string[]): Record<string, GoShape> =>
  Object.fromEntries(names.map((name) => [name, 'string' as const]));

const struct = (name: string, fields: GoStruct['fields']): GoStruct => ({ struct: name, package: 'v1', fields });

const TEXTS: GoShape = { list: 'string' };
const EXTRA: GoShape = { map: { list: 'string', name: 'v1.ExtraValue' } };

const REVIEWS: Readonly<Record<string, GoStruct>> = lookup({
  TokenReview: struct('TokenReview', {
    spec: struct('TokenReviewSpec', { token: 'string', audiences: TEXTS }),
    status: struct('TokenReviewStatus', {
      authenticated: 'bool',
      user: struct('UserInfo', { ...texts('username', 'uid'), groups: TEXTS, extra: EXTRA }),
      audiences: TEXTS,
      error: 'string',
    }),
  }),
  SubjectAccessReview: struct('SubjectAccessReview', {
    spec: struct('SubjectAccessReviewSpec', {
      resourceAttributes: struct(
        'ResourceAttributes',
        texts('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'),
      ),
      nonResourceAttributes: struct('NonResourceAttributes', texts('path', 'verb')),
      ...{ ...texts('user', 'uid'), groups: TEXTS, group: TEXTS, extra: EXTRA },
    }),
    status: struct('SubjectAccessReviewStatus', {
      ...{ allowed: 'bool', denied: 'bool' },
      ...texts('reason', 'evaluationError'),
    }),
  }),
  ImageReview: struct('ImageReview', {
    status: struct('ImageReviewStatus', { allowed: 'bool', reason: 'string', auditAnnotations: { map: 'string' } }),
  }),
});

/** The first field of a review of that kind whose type is wrong, in Go's words; undefined if there is none. */
export function reviewFault(kind: string, review: JsonObject): string | undefined {
  const shape = REVIEWS[kind];
  return shape === undefined ? undefined : goShapeFault(review, shape);
}
