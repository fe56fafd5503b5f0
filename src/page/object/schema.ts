// Types of objects, from the cluster's OpenAPI v3 documents. The editor uses them for completion, documentation and
// validation.

import { askJson } from '../cluster/cluster-api.ts';
import type { Resource } from '../cluster/discovery.ts';
import type { Path } from './yaml-text.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

interface OpenApiIndex {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** The type of a kind, and the types that it refers to. */
export class KindSchema {
  readonly root: Schema;
  readonly #schemas: Readonly<Record<string, Schema>>;

  constructor(root: Schema, schemas: Readonly<Record<string, Schema>>) {
    this.root = root;
    this.#schemas = schemas;
  }

  /** Resolves a reference, keeping the description at the place that refers. */
  resolve(schema: Schema): Schema {
    const reference = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);
    if (reference === undefined) return schema;
    const found = this.#schemas[decodeURIComponent(reference.replace('#/components/schemas/', ''))] ?? {};
    const { $ref: _, allOf: __, ...own } = schema;
    return { ...found, ...own };
  }

  /** Returns the type of the value at a path; undefined if the kind does not define it. */
  at(path: Path): Schema | undefined {
    let schema: Schema | undefined = this.resolve(this.root);
    for (const step of path) {
      const next: Schema | boolean | undefined =
        typeof step === 'number' ? schema.items : (schema.properties?.[step] ?? schema.additionalProperties);
      if (next === undefined || typeof next === 'boolean') return undefined;
      schema = this.resolve(next);
    }
    return schema;
  }
}

const documents = new Map<string, Promise<OpenApiDocument>>();
let index: Promise<OpenApiIndex> | undefined;

/** Returns the type of a resource's kind; undefined if the cluster does not publish it. @throws ClusterError */
export async function kindSchema({ group, version, kind }: Resource): Promise<KindSchema | undefined> {
  index ??= askJson<OpenApiIndex>('/openapi/v3');
  const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
  const url = (await index).paths[path]?.serverRelativeURL;
  if (url === undefined) return undefined;
  if (!documents.has(url)) documents.set(url, askJson<OpenApiDocument>(url));
  const { components } = await documents.get(url)!;
  const schemas = components?.schemas ?? {};
  const root = Object.values(schemas).find((schema) =>
    schema['x-kubernetes-group-version-kind']?.some(
      (one) => one.group === group && one.version === version && one.kind === kind,
    ),
  );
  return root === undefined ? undefined : new KindSchema(root, schemas);
}
