// Resource definitions from a CustomResourceDefinition: one per served version, because versions differ in everything
// but their names and storage.

import { apiVersionOf } from '../../api/group-version.ts';
import { isObject } from '../../api/is-object.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import type { Steps } from '../../base/steps.ts';
import { CURRENT_MINOR, isSince } from '../../lifecycle/version.ts';
import { SOME_KEYS_SUFFICE } from '../../schema/declared-struct.ts';
import { CustomSchema } from '../../schema/structural/custom-schema.ts';
import { ObjectMeta } from '../builtin/meta/v1.ts';
import type { CatalogEntry } from '../catalog.ts';
import { unstructuredCodec } from '../codec.ts';
import { isAnyTrue } from '../conditions.ts';
import type { ResourceDefinition, ScalePaths, ServedVersion, Subresource, Verb } from '../definition.ts';
import type { StoredForm } from '../stored-form.ts';
import { at, listAt, textAt } from '../value.ts';
import { compareVersions } from '../version-order.ts';
import { customTable } from './columns.ts';
import { hasBadBundle } from './conversion-rules.ts';
import { ConvertedObjects } from './converted-objects.ts';
import { customStrategy, valuesAt } from './custom-strategy.ts';
import {
  type DefinitionVersion,
  hasStatus,
  itemsOf,
  scaleOf,
  schemaOf,
  storageVersionOf,
  versionsOf,
} from './definition-versions.ts';
import type { Lifetime } from './lifetime.ts';
import { preservesAll, preservingSchema, publishedSchema } from './preserved-fields.ts';
import { selectablePath } from './selectable-path.ts';
import type { WebhookConverter } from './webhook-converter.ts';

const VERBS: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const SUBRESOURCE_VERBS = ['get', 'patch', 'update'];

export interface StoredDefinition {
  /** The current JSON. */
  bytes(): Uint8Array;
  /** Reads it, in slices if it is long. */
  reading(): Steps<ApiObject>;
}

interface CustomResourceInit {
  readonly definition: ApiObject;
  /** The stored definition: schemas are only loaded when they are needed, and not kept in memory before. */
  readonly stored: StoredDefinition;
  /** Identifies a state of the definition. */
  readonly tag: string;
  readonly lifetime: Lifetime;
  /** The converter between versions with different schemas; undefined if they are equal. */
  readonly converter: WebhookConverter | undefined;
  /** The minor release of Kubernetes 1 that is served; the default one if undefined. */
  readonly minor?: number;
  /** False: selectable fields that a definition declares have no effect. */
  readonly fieldSelectors?: boolean;
}

/** A version with its settings. */
interface Version {
  readonly declared: DefinitionVersion;
  readonly served: ServedVersion;
  readonly schema: CustomSchema;
}

interface CustomResource {
  /** Its served versions. */
  readonly entries: CatalogEntry[];
  /** Its storage version, served or not, in which its objects are deleted; undefined if the definition has none. */
  readonly stored: ResourceDefinition | undefined;
}

/** The resource of an established definition, by version. */
export function customResource(init: CustomResourceInit): CustomResource {
  const { definition } = init;
  const group = textAt(definition, 'spec', 'group');
  const kind = textAt(definition, 'status', 'acceptedNames', 'kind');
  const { fieldSelectors = true } = init;
  const declared = versionsOf(definition).map((each) => (fieldSelectors ? each : { ...each, selectableFields: [] }));
  const versions = declared.map((each) => readVersion(init, each, { group, kind }));
  versions.sort((one, other) => compareVersions(one.declared.name, other.declared.name));
  const storage = versions.find(({ declared }) => declared.storage);
  if (storage === undefined) return { entries: [], stored: undefined };
  const served = versions.filter(({ declared }) => declared.served);
  const definitionOf = (own: Version) => {
    const others = served.filter((each) => each !== own);
    return versionDefinition(init, { own, others, storage, known: versions }, { group, kind });
  };
  const entries = served.map((own) => ({ definition: definitionOf(own), version: own.served }));
  const ofStorage = entries.find(({ version }) => version === storage.served);
  return { entries, stored: ofStorage?.definition ?? definitionOf(storage) };
}

function readVersion(
  { definition, stored, tag, minor }: CustomResourceInit,
  declared: DefinitionVersion,
  { group, kind }: { group: string; kind: string },
): Version {
  const { name } = declared;
  function* declaredSchema(): Steps<JsonObject> {
    return schemaOf(versionsOf(yield* stored.reading()).find((each) => each.name === name)) ?? {};
  }
  const preserves = preservesAll(definition);
  function* source(): Steps<JsonObject> {
    const declared = yield* declaredSchema();
    return preserves ? preservingSchema(declared) : declared;
  }
  const needsAllKeys = !isSince({ minor }, SOME_KEYS_SUFFICE);
  const schema = new CustomSchema({ name: `${group}/${name}.${kind}`, source, objectMeta: ObjectMeta, needsAllKeys });
  const deprecation = deprecationOf(definition, declared);
  const served: ServedVersion = {
    version: name,
    schema,
    conversion: undefined,
    enabledByDefault: true,
    *openapiSchema() {
      const declared = yield* declaredSchema();
      return preserves ? publishedSchema(declared) : declared;
    },
    openapiTag: tag,
    definitionBytes: () => stored.bytes(),
    deprecation,
  };
  return { declared, served, schema };
}

function versionDefinition(
  { definition, lifetime, converter, minor = CURRENT_MINOR }: CustomResourceInit,
  versions: { own: Version; others: readonly Version[]; storage: Version; known: readonly Version[] },
  { group, kind }: { group: string; kind: string },
): ResourceDefinition {
  const { own, others, storage, known } = versions;
  const names = at(definition, 'status', 'acceptedNames') as JsonObject;
  const resource = textAt(definition, 'spec', 'names', 'plural');
  const selectable = selectableOf(own.declared);
  const scale = scalePaths(own.declared);
  const selectableAnywhere = [...new Set(known.flatMap(({ declared }) => selectableOf(declared)))];
  return {
    group,
    resource,
    singular: textAt(names, 'singular'),
    kind,
    listKind: textAt(names, 'listKind'),
    namespaced: textAt(definition, 'spec', 'scope') === 'Namespaced',
    shortNames: listAt(names, 'shortNames') as string[],
    categories: listAt(names, 'categories') as string[],
    verbs: VERBS,
    hashedStorage: `${group}/${storage.declared.name}/${kind}`,
    storagePrefix: `/registry/${group}/${resource}`,
    versions: [own.served, ...others.map((each) => each.served)],
    unserved: known.filter(({ declared }) => !declared.served).map((each) => each.served),
    storage: { group, version: own.declared.name, kind, schema: own.schema },
    storedForm: storedForm({ group, kind, converter }, versions),
    subresources: subresourcesOf(own.declared, kind),
    scale,
    strategy: customStrategy({
      schema: own.schema,
      hasStatus: hasStatus(own.declared),
      scale,
      selectable,
      selectableAnywhere,
      minor,
    }),
    table: customTable(itemsOf(own.declared, 'additionalPrinterColumns')),
    refusesCreation: isAnyTrue(definition, 'Terminating')
      ? 'create not allowed while custom resource definition is terminating'
      : undefined,
    lifetime,
    custom: true,
    codec: unstructuredCodec,
    minor,
  };
}

/** Objects are stored in one version and read in each; a version shows what its schema contains. */
function storedForm(
  { group, kind, converter }: { group: string; kind: string; converter: WebhookConverter | undefined },
  { own, storage, known }: { own: Version; storage: Version; known: readonly Version[] },
): StoredForm {
  const byVersion = new Map(known.map((each) => [apiVersionOf({ group, version: each.declared.name }), each]));
  const apiVersion = apiVersionOf({ group, version: own.declared.name });
  const versionOf = (object: ApiObject) => byVersion.get(object.apiVersion ?? '') ?? storage;
  /** Whether anything but the version had to change. */
  function* reading(object: ApiObject, from: Version): Steps<boolean> {
    const changed = yield* from.schema.readingStored(object);
    const pruned = from !== own && (yield* own.schema.pruningOther(object));
    object.apiVersion = apiVersion;
    return changed || pruned;
  }
  const current = new WeakSet<Uint8Array>();
  return {
    apiVersion: apiVersionOf({ group, version: storage.declared.name }),
    *reading(object) {
      yield* reading(object, versionOf(object));
      return object;
    },
    *readingWritten(object, bytes) {
      if (!(yield* reading(object, storage))) current.add(bytes);
    },
    isCurrent: (bytes) => current.has(bytes),
    *writing(object) {
      if (own !== storage) yield* storage.schema.pruningOther(object);
    },
    schemaOf: (apiVersion) => byVersion.get(apiVersion)?.schema,
    conversion:
      converter &&
      new ConvertedObjects({
        ...{ converter, apiVersion, kind },
        reading: (object) => versionOf(object).schema.readingStored(object),
        pruning: (object) => own.schema.pruningOther(object),
        selectableFields: (object) => valuesAt(object, selectableOf(own.declared)),
      }),
  };
}

function subresourcesOf(version: DefinitionVersion, kind: string): Record<string, Subresource> {
  const subresources: Record<string, Subresource> = {};
  if (hasStatus(version)) subresources['status'] = { verbs: SUBRESOURCE_VERBS, group: '', version: '', kind };
  if (scaleOf(version) !== undefined) {
    subresources['scale'] = { verbs: SUBRESOURCE_VERBS, group: 'autoscaling', version: 'v1', kind: 'Scale' };
  }
  return subresources;
}

function scalePaths(version: DefinitionVersion): ScalePaths | undefined {
  const scale = scaleOf(version);
  if (scale === undefined) return undefined;
  const selector = textAt(scale, 'labelSelectorPath');
  return {
    specReplicas: membersOf(textAt(scale, 'specReplicasPath')),
    statusReplicas: membersOf(textAt(scale, 'statusReplicasPath')),
    labelSelector: selector === '' ? undefined : membersOf(selector),
  };
}

function membersOf(path: string): string[] {
  return path.slice(1).split('.');
}

function selectableOf(version: DefinitionVersion): string[] {
  return itemsOf(version, 'selectableFields').map((each) => selectablePath(textAt(each, 'jsonPath')).join('.'));
}

/** The warning for clients of a deprecated version; undefined for others. */
function deprecationOf(definition: ApiObject, version: DefinitionVersion): string | undefined {
  if (version['deprecated'] !== true) return undefined;
  const own: Json | undefined = version['deprecationWarning'];
  if (typeof own === 'string') return own;
  const group = textAt(definition, 'spec', 'group');
  const kind = textAt(definition, 'spec', 'names', 'kind');
  const better = versionsOf(definition)
    .filter(({ served, name, deprecated }) => served && deprecated !== true && compareVersions(name, version.name) < 0)
    .map(({ name }) => name)
    .sort(compareVersions)[0];
  const said = `${group}/${version.name} ${kind} is deprecated`;
  return better === undefined ? said : `${said}; use ${group}/${better} ${kind}`;
}

/** Whether a definition can be served at all. */
export function isServable(definition: ApiObject): boolean {
  return isAnyTrue(definition, 'Established') && isObject(storageVersionOf(definition));
}

/** The versions of a definition that cannot be served for lack of a converter. */
export function blockedVersions(definition: ApiObject): string[] {
  if (isServable(definition) || !isAnyTrue(definition, 'NamesAccepted') || !hasBadBundle(definition)) return [];
  return versionsOf(definition).flatMap(({ name, served }) => (served ? [name] : []));
}
