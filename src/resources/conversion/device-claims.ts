// Conversion of devices and requests of resource.k8s.io/v1beta1, where requests for one class and device attributes
// have other paths than in v1beta2, which is stored, and v1.

import { isObject } from '../../api/is-object.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import type { Conversion } from '../definition.ts';
import { listAt } from '../value.ts';

/** ResourceClaim: the fields of `exactly` are in the request itself. */
export const resourceClaimV1beta1: Conversion = {
  toStorage: (claim) => withRequests(claim, ['spec'], nestedRequest),
  fromStorage: (claim) => withRequests(claim, ['spec'], flatRequest),
};

/** ResourceClaimTemplate: the same in the embedded claim. */
export const resourceClaimTemplateV1beta1: Conversion = {
  toStorage: (template) => withRequests(template, ['spec', 'spec'], nestedRequest),
  fromStorage: (template) => withRequests(template, ['spec', 'spec'], flatRequest),
};

/** ResourceSlice: everything about a device except its name is in `basic`. */
export const resourceSliceV1beta1: Conversion = {
  toStorage: (slice) =>
    withItems(slice, ['spec', 'devices'], ({ basic, ...device }) => ({ ...device, ...members(basic) })),
  fromStorage: (slice) => withItems(slice, ['spec', 'devices'], ({ name, ...basic }) => ({ name, basic })),
};

function withRequests(object: ApiObject, claim: readonly string[], convert: (request: JsonObject) => JsonObject) {
  return withItems(object, [...claim, 'devices', 'requests'], convert);
}

/** A request with anything besides its alternatives is for one class, named or not. */
function nestedRequest({ name, firstAvailable, ...exactly }: JsonObject): JsonObject {
  return {
    name,
    ...(Object.values(exactly).every(isEmpty) ? {} : { exactly }),
    ...(firstAvailable === undefined ? {} : { firstAvailable }),
  };
}

function flatRequest({ exactly, ...request }: JsonObject): JsonObject {
  return { ...request, ...members(exactly) };
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || value === 0;
}

function members(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The object with the items of a list transformed; the same object if there is no such list. */
function withItems(object: ApiObject, path: readonly string[], convert: (item: JsonObject) => JsonObject): ApiObject {
  if (listAt(object, ...path).length === 0) return object;
  const change = (here: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject => {
    const items = ownMember(here, name);
    if (rest.length > 0) return { ...here, [name]: change(items as JsonObject, rest) };
    return { ...here, [name]: (items as Json[]).map((item) => (isObject(item) ? convert(item) : item)) };
  };
  return change(object, path) as ApiObject;
}
