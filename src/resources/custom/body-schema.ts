// Schemas for decoding bodies of custom resources: those of the version in the body, which may differ from that of the
// path. A body of another type is rejected afterwards, and its unknown fields are reported nevertheless, as in
// kube-apiserver.

import { apiVersionOf, parseApiVersion } from '../../api/group-version.ts';
import { inOneStep } from '../../base/steps.ts';
import type { StructNode } from '../../schema/node.ts';
import { CustomSchema } from '../../schema/structural/custom-schema.ts';
import { ObjectMeta } from '../builtin/meta/v1.ts';
import type { ResourceDefinition } from '../definition.ts';

const schemaOf = (name: string, preserves: boolean) => {
  const source = () => inOneStep({ type: 'object', 'x-kubernetes-preserve-unknown-fields': preserves });
  return new CustomSchema({ name, source, objectMeta: ObjectMeta });
};

/** Of other kinds, which the definition does not describe. */
const OF_OTHER_KINDS = schemaOf('unstructured.Unstructured', true);
/** Of versions that the definition does not have. */
const OF_NO_VERSION = schemaOf('unstructured.Unstructured', false);

/**
 * The schema for a request's body.
 * @param version of the path
 * @param names kind and apiVersion in the body
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
