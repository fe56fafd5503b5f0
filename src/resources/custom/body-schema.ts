// Schemas by which bodies of custom resources are decoded: those of the version that a body names, which need not be
// the version of its path. A body that names another type is rejected afterwards, and its unknown fields are reported
// all the same, as in kube-apiserver.

import { apiVersionOf, parseApiVersion } from '../../api/group-version.ts';
import type { StructNode } from '../../schema/node.ts';
import { CustomSchema } from '../../schema/structural/custom-schema.ts';
import { ObjectMeta } from '../builtin/meta/v1.ts';
import type { ResourceDefinition } from '../definition.ts';

const schemaOf = (name: string, preserves: boolean) => {
  const source = () => ({ type: 'object', 'x-kubernetes-preserve-unknown-fields': preserves });
  return new CustomSchema({ name, source, objectMeta: ObjectMeta });
};

/** Of other kinds, about which the definition says nothing. */
const OF_OTHER_KINDS = schemaOf('unstructured.Unstructured', true);
/** Of versions that the definition does not have. */
const OF_NO_VERSION = schemaOf('unstructured.Unstructured', false);

/**
 * The schema for the body of a request.
 * @param version the version of the path
 * @param names what the body says of itself
 */
export function bodySchema(
  { group, kind, storedForm }: Pick<ResourceDefinition, 'group' | 'kind' | 'storedForm'>,
  version: { readonly version: string; readonly schema: StructNode },
  names: { readonly kind: string; readonly apiVersion: string },
): StructNode {
  const isKind = names.kind === kind;
  if (isKind && names.apiVersion === apiVersionOf({ group, version: version.version })) return version.schema;
  if (!isKind || parseApiVersion(names.apiVersion)?.group !== group) return OF_OTHER_KINDS;
  return storedForm?.schemaOf(names.apiVersion) ?? OF_NO_VERSION;
}
