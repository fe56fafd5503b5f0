// The plugin NamespaceExists: rejects writes and deletions in namespaces that do not exist.

import { errors } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import type { AdmissionPlugin } from './chain.ts';
import { isOf, NAMESPACES } from './resources.ts';

/** @param namespaceOf looks a namespace up by name */
export function namespaceExists(namespaceOf: (name: string) => Soon<ApiObject | undefined>): AdmissionPlugin {
  return {
    name: 'NamespaceExists',
    admit({ request, operation }) {
      const { definition, namespace } = request;
      if (operation === 'connect' || namespace === '') return undefined;
      if (isOf(NAMESPACES, definition)) return undefined;
      return whenThere(namespaceOf(namespace), (found) => {
        if (found === undefined) throw errors.notFound({ group: '', resource: 'namespaces', name: namespace });
      });
    },
  };
}
