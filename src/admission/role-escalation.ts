// RBAC escalation check: rejects roles and bindings that would grant permissions that their writer does not have. In
// Kubernetes this is part of storing these kinds rather than a plugin, so it cannot be disabled.

import { errors } from '../api/errors.ts';
import { equalJson } from '../api/json-equal.ts';
import type { ApiObject } from '../api/object.ts';
import { rulesOf } from '../api/policy-rule.ts';
import { bindingOf } from '../api/role-binding.ts';
import {
  bindingRefusal,
  RBAC_GROUP,
  ROLE_RESOURCES,
  type RoleGuards,
  type RoleWrite,
  roleRefusal,
} from '../auth/authz/escalation.ts';
import { goQuote } from '../base/go-quote.ts';
import { isSince } from '../lifecycle/version.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { at } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';

export function roleEscalation(guards: RoleGuards): AdmissionPlugin {
  return {
    name: 'RoleEscalation',
    admit(admission) {
      const { request, object, previous } = admission;
      if (request.definition.group !== RBAC_GROUP || object === undefined) return undefined;
      if (previous !== undefined && concernsCollectorOnly(object, previous)) return undefined;
      const write = roleWrite(admission, object);
      if (request.definition.kind.endsWith('Binding')) {
        return checkBinding(guards, write, { object, definition: request.definition });
      }
      return checkRole(guards, write, { object, previous });
    },
  };
}

/** Finalizers and owners are changed by the garbage collector, which does not have the roles' permissions. */
function concernsCollectorOnly(object: ApiObject, previous: ApiObject): boolean {
  return equalJson(withoutCollected(object), withoutCollected(previous));
}

function withoutCollected(object: ApiObject) {
  const { finalizers, ownerReferences, managedFields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function roleWrite({ request }: AdmissionRequest, object: ApiObject): RoleWrite {
  const { definition, user, namespace } = request;
  const resource = definition.resource as RoleWrite['resource'];
  return { user, resource, namespace, name: object.metadata.name ?? request.name, nameInPath: request.name };
}

async function checkRole(
  guards: RoleGuards,
  write: RoleWrite,
  { object, previous }: { object: ApiObject; previous: ApiObject | undefined },
): Promise<void> {
  const aggregates = [object, previous].some(isAggregated);
  const refused = await roleRefusal(guards, write, { rules: rulesOf(object), aggregates });
  if (refused !== undefined) throw errors.forbidden({ group: RBAC_GROUP, ...write }, refused);
}

function isAggregated(role: ApiObject | undefined): boolean {
  const selectors = at(role, 'aggregationRule', 'clusterRoleSelectors');
  return Array.isArray(selectors) && selectors.length > 0;
}

/** The first minor release of Kubernetes 1 that, of a missing role, says that the binding is missing. */
const NAMES_BINDINGS = 32;

async function checkBinding(
  guards: RoleGuards,
  write: RoleWrite,
  { object, definition }: { object: ApiObject; definition: Pick<ResourceDefinition, 'minor'> },
): Promise<void> {
  const { roleRef } = bindingOf(object);
  const refusal = await bindingRefusal(guards, write, roleRef);
  if (refusal === undefined) return;
  const target = { group: RBAC_GROUP, ...write };
  if (refusal === 'no such kind') throw errors.unexplained(`unsupported role reference kind: ${goQuote(roleRef.kind)}`);
  if (refusal === 'no such role') {
    if (roleRef.kind === 'Role' && write.namespace === '') throw errors.badRequest('Namespace parameter required.');
    if (roleRef.name === '') throw errors.badRequest('Name parameter required.');
    const resource = isSince(definition, NAMES_BINDINGS) ? write.resource : (ROLE_RESOURCES[roleRef.kind] ?? '');
    throw errors.notFound({ group: RBAC_GROUP, resource, name: roleRef.name });
  }
  throw errors.forbidden(target, refusal.refused);
}
