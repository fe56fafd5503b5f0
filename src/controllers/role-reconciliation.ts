// Reconciliation of the default roles and bindings with those that are stored, once after the start, like
// kube-apiserver: a server of a newer release adds what its own components need to the roles of an older one.

import type { ApiObject } from '../api/object.ts';
import { isProtected, reconciledBinding, reconciledRole } from '../auth/authz/reconciled-roles.ts';
import type { Log } from '../base/log.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import type { ControllerContext } from './controller.ts';

/** A default role or binding that was stored before this server started. */
interface DefaultRole extends ObjectPlace {
  /** The object as this release creates it. */
  readonly make: () => ApiObject;
}

const SERVER = { name: 'system:apiserver', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };

/** Changes one after the other. What cannot be written is logged; the next start tries again. */
export async function reconcileRoles(
  context: Pick<ControllerContext, 'catalog' | 'writes'> & { readonly log: Log },
  defaults: readonly DefaultRole[],
): Promise<void> {
  const objects = new ControlledObjects(context, SERVER, 'kube-apiserver');
  const turn = context.writes.registry.turns.begin({ taskName: 'reconciliation of default roles' });
  for (const each of defaults) {
    await turn.over();
    try {
      await reconcile(objects, each, context.log);
    } catch (error) {
      context.log.error('a default role could not be reconciled', { ...labels(each), error });
    }
  }
}

async function reconcile(objects: ControlledObjects, { make, ...place }: DefaultRole, log: Log): Promise<void> {
  const stored = await objects.read(place);
  if (stored === undefined) {
    await objects.create(place.definition, make());
    return;
  }
  const change = changeOf(stored, make());
  if (change === undefined) return;
  if (isProtected(stored)) {
    log.warn('a default role that is excluded from updates lacks permissions', labels({ make, ...place }));
    return;
  }
  if ('recreate' in change) {
    await objects.delete(place, { preconditions: { uid: stored.metadata.uid } });
    await objects.create(place.definition, make());
    return;
  }
  await objects.change(place, (current) => {
    const again = changeOf(current, make());
    if (again === undefined || !('update' in again)) return false;
    Object.assign(current, again.update);
    if (again.update['aggregationRule'] === undefined) delete current['aggregationRule'];
    return true;
  });
}

function changeOf(stored: ApiObject, wanted: ApiObject): ReturnType<typeof reconciledBinding> {
  if (wanted['roleRef'] !== undefined) return reconciledBinding(stored, wanted);
  const update = reconciledRole(stored, wanted);
  return update && { update };
}

function labels({ definition, namespace, name }: DefaultRole) {
  return { resource: definition.resource, namespace, name };
}
