// Types of an AdmissionReview's fields: a response with a field of a wrong type cannot be decoded, so that nothing in
// it counts, in particular not its approval.

import { type GoShape, type GoStruct, goShapeFault } from '../../api/go-shape.ts';
import type { JsonObject } from '../../api/object.ts';
import { lookup } from '../../base/lookup.ts';

const texts = (...names: readonly string[]): Record<string, GoShape> =>
  Object.fromEntries(names.map((name) => [name, 'string' as const]));

const meta = (struct: string, fields: GoStruct['fields']): GoStruct => ({ struct, package: 'v1', fields });

const UID: GoShape = { text: 'types.UID' };
const KIND = meta('GroupVersionKind', texts('group', 'version', 'kind'));
const RESOURCE = meta('GroupVersionResource', texts('group', 'version', 'resource'));

const STATUS = meta('Status', {
  ...texts('kind', 'apiVersion', 'status', 'message'),
  metadata: meta('ListMeta', {
    ...texts('selfLink', 'resourceVersion', 'continue'),
    remainingItemCount: 'int64',
  }),
  reason: { text: 'v1.StatusReason' },
  details: meta('StatusDetails', {
    ...texts('name', 'group', 'kind'),
    uid: UID,
    causes: { list: meta('StatusCause', { reason: { text: 'v1.CauseType' }, ...texts('message', 'field') }) },
    retryAfterSeconds: 'int32',
  }),
  code: 'int32',
});

const USER = meta('UserInfo', {
  ...texts('username', 'uid'),
  groups: { list: 'string' },
  extra: { map: { list: 'string', name: 'v1.ExtraValue' } },
});

type ReviewVersion = 'v1' | 'v1beta1';

const review = (version: ReviewVersion): GoStruct => ({
  struct: 'AdmissionReview',
  package: version,
  fields: {
    request: {
      struct: 'AdmissionRequest',
      package: version,
      fields: {
        ...{ uid: UID, kind: KIND, resource: RESOURCE, requestKind: KIND, requestResource: RESOURCE, userInfo: USER },
        ...texts('subResource', 'requestSubResource', 'name', 'namespace'),
        operation: { text: `${version}.Operation` },
        dryRun: 'bool',
      },
    },
    response: {
      struct: 'AdmissionResponse',
      package: version,
      fields: {
        uid: UID,
        allowed: 'bool',
        status: STATUS,
        patch: 'bytes',
        patchType: { text: `${version}.PatchType` },
        auditAnnotations: { map: 'string' },
        warnings: { list: 'string' },
      },
    },
  },
});

const REVIEWS: Readonly<Record<string, GoStruct>> = lookup({ v1: review('v1'), v1beta1: review('v1beta1') });

/** The type errors of a review; undefined if there are none. */
export function reviewTypeFault(of: JsonObject, version: ReviewVersion): string | undefined {
  return goShapeFault(of, REVIEWS[version] as GoStruct);
}
