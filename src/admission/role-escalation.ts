// RBAC escalation check: rejects roles and bindings that would grant permissions that their writer does not have. In
// Kubernetes this is part of storing these kinds rather than a plugin, so it cannot be disabled.

import { errors } from '../api/errors.ts';
import { equalJson } from '../api/json-equal.ts';
import type { ApiObject } from '../api/object.ts';
import { rulesOf } from '../api/policy-rule.ts';
import { bindingOf } from '../api/role-binding.ts';
import { bindingRefusal, RBAC_GROUP, type RoleWrite, roleRefusal } from '../auth/authz/escalation.ts';
import type { RbacAuthorizer } from '../auth/authz/rbac.ts';
import { goQuote } from '../base/go-quote.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';

export function roleEscalation(rbac: RbacAuthorizer): AdmissionPlugin {
  return {
    name: 'RoleEscalation',
    admit(admission) {
      const { request, object, previous } = admission;
      if (request.definition.group !== RBAC_GROUP || object === undefined) return;
      if (previous !== undefined && concernsCollectorOnly(object, previous)) return;
      const write = roleWrite(admission, object);
      if (request.definition.kind.endsWith('Binding')) checkBinding(rbac, write, object);
      else checkRole(rbac, write, { object, previous });
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
  return { user, resource, namespace, name: object.metadata.name ?? request.name };
}

function checkRole(
  rbac: RbacAuthorizer,
  write: RoleWrite,
  { object, previous }: { object: ApiObject; previous: ApiObject | undefined },
): void {
  const aggregates = [object, previous].some((role) => (role?.['aggregationRule'] ?? null) !== null);
  const refused = roleRefusal(rbac, write, { rules: rulesOf(object), aggregates });
  if (refused !== undefined) throw errors.forbidden({ group: RBAC_GROUP, ...write }, refused);
}

function checkBinding(rbac: RbacAuthorizer, write: RoleWrite, object: ApiObject): void {
  const { roleRef } = bindingOf(object);
  const refusal = bindingRefusal(rbac, write, roleRef);
  if (refusal === undefined) return;
  const target = { group: RBAC_GROUP, ...write };
  if (refusal === 'no such kind') throw errors.unexplained(`unsupported role reference kind: ${goQuote(roleRef.kind)}`);
  if (refusal === 'no such role') {
    if (roleRef.name === '') throw errors.badRequest('Name parameter required.');
    throw errors.notFound({ ...target, name: roleRef.name });
  }
  throw errors.forbidden(target, refusal.refused);
}
