// The plugin NamespaceAutoProvision: creates missing namespaces when something is created in them.

import { ApiError } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { refusal } from './concerns.ts';
import { isOf, NAMESPACES } from './resources.ts';

interface NamespaceProvision {
  /** Looks a namespace up by name. */
  readonly namespaceOf: (name: string) => Soon<ApiObject | undefined>;
  /** @throws ApiError */
  readonly createNamespace: (name: string) => Promise<void>;
}

export function namespaceAutoProvision({ namespaceOf, createNamespace }: NamespaceProvision): AdmissionPlugin {
  const provide = async (admission: AdmissionRequest): Promise<void> => {
    try {
      await createNamespace(admission.request.namespace);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason !== 'AlreadyExists') throw refusal(admission, error.message);
    }
  };
  return {
    name: 'NamespaceAutoProvision',
    admit(admission) {
      const { request, operation, dryRun } = admission;
      const { definition, namespace } = request;
      if (operation !== 'create' || dryRun || namespace === '') return undefined;
      if (isOf(NAMESPACES, definition)) return undefined;
      return whenThere(namespaceOf(namespace), (found) => (found === undefined ? provide(admission) : undefined));
    },
  };
}
