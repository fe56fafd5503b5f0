// Inputs for expressions: the schema of a kind in the cluster, and an object of that kind.

import type { JsonObject } from '../../api/object.ts';
import { askJson, ClusterError } from '../cluster/cluster-api.ts';
import { type Resource, resourcePath } from '../cluster/discovery.ts';
import type { ObjectMeta } from '../cluster/live-table.ts';
import { kindSchema } from '../object/schema.ts';
import { type ExpressionSchema, writtenOut } from './expression-schema.ts';

/** How many objects are offered. */
const OFFERED = 250;

/**
 * Returns the schema of a kind: for custom resources from the CustomResourceDefinition, for others from the OpenAPI
 * document. Undefined if the cluster publishes none.
 * @throws ClusterError
 */
export async function readSchema(resource: Resource): Promise<ExpressionSchema | undefined> {
  const own = resource.group.includes('.') ? await definedSchema(resource) : undefined;
  if (own !== undefined) return { schema: own, isCut: false };
  const kind = await kindSchema(resource);
  return kind === undefined ? undefined : writtenOut(kind);
}

interface Definition {
  readonly spec?: {
    readonly versions?: readonly {
      readonly name: string;
      readonly schema?: { readonly openAPIV3Schema?: JsonObject };
    }[];
  };
}

/** Undefined for built-in kinds, and if the user may not read the definition. */
async function definedSchema({ group, version, name }: Resource): Promise<JsonObject | undefined> {
  try {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${encodeURIComponent(`${name}.${group}`)}`;
    const { spec } = await askJson<Definition>(path);
    return spec?.versions?.find((one) => one.name === version)?.schema?.openAPIV3Schema;
  } catch (error) {
    if (error instanceof ClusterError && (error.code === 404 || error.code === 403)) return undefined;
    throw error;
  }
}

export interface Offered {
  /** `namespace/name`, or the name alone. */
  readonly names: readonly string[];
  readonly hasMore: boolean;
}

/** Returns the objects to choose from. @throws ClusterError */
export async function readNames(resource: Resource): Promise<Offered> {
  const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
  const list = await askJson<{ metadata?: { continue?: string }; items?: readonly { metadata: ObjectMeta }[] }>(
    `${resourcePath(resource)}?limit=${OFFERED}`,
    { accept },
  );
  const names = (list.items ?? []).map(({ metadata: { namespace, name } }) =>
    namespace === undefined ? name : `${namespace}/${name}`,
  );
  return { names, hasMore: (list.metadata?.continue ?? '') !== '' };
}

/**
 * Returns one object by its name from `readNames`, without managedFields, which rules cannot see. @throws ClusterError
 */
export async function readObject(resource: Resource, title: string): Promise<JsonObject> {
  const slash = title.indexOf('/');
  const [namespace, name] = slash < 0 ? [undefined, title] : [title.slice(0, slash), title.slice(slash + 1)];
  const object = await askJson<JsonObject>(resourcePath(resource, namespace, name));
  const { managedFields: _, ...metadata } = object['metadata'] as JsonObject;
  return { ...object, metadata };
}
