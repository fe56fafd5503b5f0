// What expressions see of a request in the version that was matched, whoever they belong to: policies and the match
// conditions of webhooks.

import { Authorizer, type AuthorizerBackend, ResourceCheck } from '../../expressions/authorizer.ts';
import type { Attributes, RequestTarget } from './attributes.ts';
import type { Scope } from './scope.ts';

export function requestScope(
  attributes: Attributes,
  target: RequestTarget,
  backend: AuthorizerBackend,
): Omit<Scope, 'params' | 'namespaceObject'> {
  const { object, previous } = attributes.objectsIn(target.version);
  const authorizer = new Authorizer(attributes.admission.request.user, backend);
  const { group, resource, subresource, namespace, name } = target;
  return {
    object,
    oldObject: previous,
    request: attributes.requestAs(target),
    authorizer,
    requestResource: new ResourceCheck({ authorizer, group, resource, subresource, namespace, name }),
  };
}
