// The plugin NamespaceLifecycle: rejects creates and updates in namespaces that do not exist, creates in namespaces that
// are terminating, and deletions of the namespaces that the server needs.

import { type ApiError, errors } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { askedName } from './concerns.ts';
import { isOf, NAMESPACES } from './resources.ts';

const IMMORTAL = new Set(['default', 'kube-system', 'kube-public']);

/** @param namespaceOf looks a namespace up by name */
export function namespaceLifecycle(namespaceOf: (name: string) => Soon<ApiObject | undefined>): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    admit(admission) {
      const { definition, name } = admission.request;
      if (isOf(NAMESPACES, definition)) {
        if (admission.operation === 'delete' && IMMORTAL.has(name)) throw immortal(name);
        return undefined;
      }
      if (admission.operation !== 'create' && admission.operation !== 'update') return undefined;
      if (!definition.namespaced || isAccessReview(definition)) return undefined;
      // Validation reports the missing namespace.
      if (admission.request.namespace === '') return undefined;
      return whenThere(namespaceOf(admission.request.namespace), (namespace) => checkNamespace(admission, namespace));
    },
  };
}

/** Access reviews are allowed in any namespace, even one that does not exist. */
function isAccessReview({ group, resource }: AdmissionRequest['request']['definition']): boolean {
  return group === 'authorization.k8s.io' && resource === 'localsubjectaccessreviews';
}

function immortal(name: string): ApiError {
  return errors.forbidden({ group: '', resource: 'namespaces', name }, 'this namespace may not be deleted');
}

function checkNamespace(admission: AdmissionRequest, namespace: ApiObject | undefined): void {
  const { request, object, operation } = admission;
  if (namespace === undefined) throw errors.notFound({ group: '', resource: 'namespaces', name: request.namespace });
  if (operation === 'update' || namespace.metadata.deletionTimestamp === undefined) return;
  const { group, resource } = request.definition;
  throw errors.namespaceTerminating({ group, resource, name: askedName(request.name, object) }, request.namespace);
}
