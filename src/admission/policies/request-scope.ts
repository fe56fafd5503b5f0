// CEL variables of an admission request, in the matched version: for policies and for match conditions of webhooks.

import { errors } from '../../api/errors.ts';
import type { ApiObject, Json } from '../../api/object.ts';
import type { Authorizer as ServerAuthorizer } from '../../auth/authz/authorizer.ts';
import { Authorizer, ResourceCheck } from '../../expressions/authorizer.ts';
import type { ObjectLookup } from '../object-lookup.ts';
import { isOf, NAMESPACES } from '../resources.ts';
import type { Attributes, RequestTarget } from './attributes.ts';
import { AwaitedAnswers } from './awaited-answers.ts';
import type { Scope } from './scope.ts';

export function requestScope(
  attributes: Attributes,
  target: RequestTarget,
  asked: ServerAuthorizer,
): Omit<Scope, 'params' | 'namespaceObject'> {
  const { object, previous } = attributes.objectsIn(target);
  const authorizer = new Authorizer(attributes.admission.request.user, new AwaitedAnswers(asked));
  const { group, resource, subresource, namespace, name } = target;
  return {
    object,
    oldObject: previous,
    request: attributes.requestAs(target),
    authorizer,
    requestResource: new ResourceCheck({ authorizer, group, resource, subresource, namespace, name }),
  };
}

interface PolicyScopeNeeds {
  readonly objects: ObjectLookup;
  readonly authorizer: ServerAuthorizer;
}

/**
 * All variables of a policy's expressions. @throws ApiError 404 if the namespace does not exist, 500 for a failed
 * conversion
 */
export async function policyScope(
  attributes: Attributes,
  { target, params }: { readonly target: RequestTarget; readonly params: ApiObject | null },
  { objects, authorizer }: PolicyScopeNeeds,
): Promise<Scope> {
  await attributes.prepare(target.version);
  const scope = requestScope(attributes, target, authorizer);
  return { ...scope, params, namespaceObject: await namespaceOf(attributes, objects) };
}

/** The namespace of the object; null for cluster-scoped objects, including namespaces. */
async function namespaceOf(attributes: Attributes, objects: ObjectLookup): Promise<Json> {
  const { namespace } = attributes.target;
  if (namespace === '' || isOf(NAMESPACES, attributes.target)) return null;
  const found = await objects.find(NAMESPACES, '', namespace);
  if (found === undefined) throw errors.notFound({ ...NAMESPACES, name: namespace });
  const { managedFields: _managed, ownerReferences: _owners, ...metadata } = found.metadata;
  return { metadata, spec: found['spec'] ?? {}, status: found['status'] ?? {} };
}
