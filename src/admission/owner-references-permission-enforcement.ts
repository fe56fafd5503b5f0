// The plugin OwnerReferencesPermissionEnforcement: changing the owners of an object requires permission to delete it,
// and blocking the deletion of an owner requires permission to update that owner's finalizers.

import { equalJson } from '../api/json-equal.ts';
import type { OwnerReference } from '../api/object.ts';
import type { AuthorizationAttributes, Authorizer, Decision } from '../auth/authz/authorizer.ts';
import type { Soon } from '../base/soon.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { refusal } from './concerns.ts';
import { isOf, PODS } from './resources.ts';

interface OwnerPermissionOptions {
  readonly authorizer: Authorizer;
  /** The resource of a kind; undefined if it is not served. */
  readonly resourceOf: (apiVersion: string, kind: string) => ResourceDefinition | undefined;
}

export function ownerReferencesPermissionEnforcement(options: OwnerPermissionOptions): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    admit(admission) {
      const { request, object, previous, operation } = admission;
      if (object === undefined || (operation !== 'create' && operation !== 'update')) return undefined;
      const { definition, subresource } = request;
      // Kubelets update the status of pods without knowing their owners.
      if (isOf(PODS, definition) && subresource === 'status') return undefined;
      const [owners, before] = [ownersOf(object), ownersOf(previous)];
      return equalJson(owners, before) ? undefined : check(admission, options, blocking(owners, before));
    },
  };
}

function ownersOf(object: AdmissionRequest['object']): OwnerReference[] {
  return [...(object?.metadata?.ownerReferences ?? [])];
}

/** References that newly block the deletion of their owner. */
function blocking(owners: readonly OwnerReference[], before: readonly OwnerReference[]): OwnerReference[] {
  const known = new Map(before.map((owner) => [owner.uid, owner.blockOwnerDeletion === true]));
  return owners.filter(({ uid, blockOwnerDeletion }) => blockOwnerDeletion === true && known.get(uid) !== true);
}

async function check(
  admission: AdmissionRequest,
  options: OwnerPermissionOptions,
  blockers: readonly OwnerReference[],
): Promise<void> {
  const { request, operation } = admission;
  const ask = (asked: Partial<AuthorizationAttributes>): Soon<Decision> =>
    options.authorizer.authorize({ ...NOTHING, user: request.user, ...asked });
  const { group, resource } = request.definition;
  const { namespace, name, subresource, version } = request;
  if (operation !== 'create') {
    const named = { group, resource, subresource, namespace, name, version: version.version };
    const { allowed, reason } = await ask({ verb: 'delete', ...named });
    if (!allowed) throw refusal(admission, `cannot set an ownerRef on a resource you can't delete: ${reason}, <nil>`);
  }
  if (blockers.length === 0) return;
  const any = { verb: 'update', group: '*', version: '*', resource: '*', subresource: 'finalizers', name: '*' };
  if ((await ask(any)).allowed) return;
  for (const { apiVersion, kind, name: owner } of blockers) {
    const definition = options.resourceOf(apiVersion, kind);
    if (definition === undefined) throw refusal(admission, unknownKind(apiVersion, kind));
    const place = definition.namespaced ? namespace : '';
    const named = { group: definition.group, resource: definition.resource, subresource: 'finalizers' };
    const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
    const { allowed, reason } = await ask({ verb: 'update', ...named, version, namespace: place, name: owner });
    if (allowed) continue;
    const why = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";
    throw refusal(admission, `${why}: ${reason}, <nil>`);
  }
}

function unknownKind(apiVersion: string, kind: string): string {
  const why = `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`;
  return `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${why}`;
}

const NOTHING = {
  verb: '',
  isResourceRequest: true,
  path: '',
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
};
