// The 403 of a forbidden request, with Kubernetes' message.

import { type ApiError, errors } from '../../api/errors.ts';
import { htmlEntities } from '../../base/html-entities.ts';
import type { AuthorizationAttributes } from './authorizer.ts';

/** The error for a forbidden request. `reason` is the authorizer's; empty if there is none. */
export function refusal(attributes: AuthorizationAttributes, reason: string): ApiError {
  const what = reason === '' ? refusedAction(attributes) : `${refusedAction(attributes)}: ${reason}`;
  if (!attributes.isResourceRequest) return errors.forbiddenPath(what);
  return errors.forbidden({ group: attributes.group, resource: attributes.resource, name: attributes.name }, what);
}

/**
 * `User "alice" cannot list resource "secrets" in API group "" in the namespace "x"`. HTML special characters are
 * escaped, as in kube-apiserver, because names and paths come from the client.
 */
function refusedAction(attributes: AuthorizationAttributes): string {
  return htmlEntities(actionText(attributes));
}

function actionText({ user, verb, isResourceRequest, path, group, ...target }: AuthorizationAttributes): string {
  const who = `User ${JSON.stringify(user.name)} cannot ${verb}`;
  if (!isResourceRequest) return `${who} path ${JSON.stringify(path)}`;
  const resource = target.subresource === '' ? target.resource : `${target.resource}/${target.subresource}`;
  const scope =
    target.namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(target.namespace)}`;
  return `${who} resource ${JSON.stringify(resource)} in API group ${JSON.stringify(group)} ${scope}`;
}
