// The 403 that a refused request gets, in Kubernetes' words.

import { type ApiError, errors } from '../../api/errors.ts';
import { htmlEntities } from '../../base/html-entities.ts';
import type { AuthorizationAttributes } from './authorizer.ts';

/** The error for a request that was not allowed. `reason` is the authorizer's; empty when it gave none. */
export function refusal(attributes: AuthorizationAttributes, reason: string): ApiError {
  const what = reason === '' ? refusedAction(attributes) : `${refusedAction(attributes)}: ${reason}`;
  if (!attributes.isResourceRequest) return errors.forbiddenPath(what);
  return errors.forbidden({ group: attributes.group, resource: attributes.resource, name: attributes.name }, what);
}

/**
 * `User "alice" cannot list resource "secrets" in API group "" in the namespace "x"`. The characters that mean
 * something in HTML are written as its entities, as kube-apiserver does: names and paths come from the client.
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
