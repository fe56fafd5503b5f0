// Custom resources in tests: the type of the objects follows from the schema in their definition.

import type { AnyKind, Metadata, StoredMetadata } from './kind.ts';

/** The parts of a CustomResourceDefinition that name a kind and describe its objects. */
export interface Definition {
  readonly apiVersion?: 'apiextensions.k8s.io/v1';
  readonly kind?: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly DefinedVersion[];
  };
}

interface DefinedVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema?: { readonly openAPIV3Schema?: object };
}

/** A custom resource, which takes the place of a kind in requests. */
export interface CustomResource<K extends AnyKind = AnyKind> {
  readonly definition: Definition;
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  /** The types of its objects; there is no such value. */
  readonly types?: K;
}

type VersionOf<D extends Definition> = D['spec']['versions'][number];

/** The name of the version that is stored. */
type Stored<D extends Definition> = Extract<VersionOf<D>, { readonly storage: true }>['name'];

type SchemaOf<D extends Definition, V> =
  Extract<VersionOf<D>, { readonly name: V }> extends {
    readonly schema: { readonly openAPIV3Schema: infer Schema };
  }
    ? Schema
    : unknown;

/** The kind of a definition. */
interface CustomKind<D extends Definition, V> extends AnyKind {
  readonly object: Rest<Value<SchemaOf<D, V>, 'answer'>> & {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: StoredMetadata;
  };
  readonly sent: Rest<Value<SchemaOf<D, V>, 'request'>> & {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly metadata?: D['spec']['scope'] extends 'Namespaced' ? Metadata : Metadata & { readonly namespace?: never };
  };
  readonly namespaced: D['spec']['scope'] extends 'Namespaced' ? true : false;
  readonly verbs: AnyKind['verbs'];
}

type Rest<T> = T extends object ? Omit<T, 'apiVersion' | 'kind' | 'metadata'> : unknown;

/** In an answer, defaults are there; in a request they may be left out. */
type Way = 'request' | 'answer';

/** The type of values of a schema. */
type Value<S, W extends Way> = S extends { readonly nullable: true } ? Present<S, W> | null : Present<S, W>;

type Present<S, W extends Way> = S extends { readonly 'x-kubernetes-int-or-string': true }
  ? number | string
  : S extends { readonly enum: readonly (infer Item)[] }
    ? Item
    : S extends { readonly type: 'string' }
      ? string
      : S extends { readonly type: 'integer' | 'number' }
        ? number
        : S extends { readonly type: 'boolean' }
          ? boolean
          : S extends { readonly type: 'array'; readonly items: infer Items }
            ? readonly Value<Items, W>[]
            : S extends { readonly type: 'object' }
              ? Members<S, W>
              : unknown;

type Members<S, W extends Way> = S extends { readonly properties: infer P }
  ? Flat<
      { readonly [Name in Must<S, P, W>]: Value<P[Name], W> } & {
        readonly [Name in Exclude<keyof P, Must<S, P, W>>]?: Value<P[Name], W>;
      } & (S extends { readonly 'x-kubernetes-preserve-unknown-fields': true }
          ? Readonly<Record<string, unknown>>
          : unknown)
    >
  : S extends { readonly additionalProperties: infer Values }
    ? Readonly<Record<string, Value<Values, W>>>
    : Readonly<Record<string, unknown>>;

/** The members that are always there. */
type Must<S, P, W extends Way> = W extends 'answer'
  ? Required<S, P> | Defaulted<P>
  : Exclude<Required<S, P>, Defaulted<P>>;

type Required<S, P> = S extends { readonly required: readonly (infer Name)[] } ? Name & keyof P : never;

type Defaulted<P> = { [Name in keyof P]: P[Name] extends { readonly default: unknown } ? Name : never }[keyof P];

/** One object type in place of an intersection, for readable messages. */
type Flat<T> = { [Name in keyof T]: T[Name] };

/**
 * Makes a custom resource of its definition, in the version that is stored or another one. A definition that is written in
 * the call, or `as const`, yields the type of its objects.
 * @throws TypeError if there is no such version
 */
export function customResource<const D extends Definition, const V extends VersionOf<D>['name'] = Stored<D>>(
  definition: D,
  version?: V,
): CustomResource<CustomKind<D, V>> {
  const { group, scope, names, versions } = definition.spec;
  const found = versions.find(({ name, storage }) => (version === undefined ? storage : name === version));
  if (found === undefined) throw new TypeError(`${definition.metadata.name} has no version ${version ?? 'to store'}`);
  return {
    definition,
    apiVersion: `${group}/${found.name}`,
    kind: names.kind,
    resource: names.plural,
    namespaced: scope === 'Namespaced',
  };
}
