// Definition of a resource, as data. Built-in resources and custom resources are both described by this form; nothing
// above this floor asks which it is.

import type { FieldErrors } from '../api/errors.ts';
import type { ApiObject, Draft, Json, JsonObject } from '../api/object.ts';
import type { Soon } from '../base/soon.ts';
import type { StructNode } from '../schema/node.ts';
import type { VerifySignature } from './validation/certificate-signature.ts';

/** Measures work with expressions. */
export interface ExpressionObserver {
  /** Does the work and notes how long it took. */
  measure<Result>(work: 'compilation' | 'evaluation', run: () => Result): Result;
}

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

export interface ResourceDefinition {
  readonly group: string;
  /** The plural name in paths: `pods`. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
  /** As discovery publishes it; empty for resources that are not stored. */
  readonly storageVersionHash: string;
  /** Discovery does not publish it. */
  readonly hidesHash?: true;
  /** Where objects are stored: `/registry/pods`; a namespaced object at `<prefix>/<namespace>/<name>`. */
  readonly storagePrefix: string;
  /** Served versions of this group, the storage version among them or not. In order of preference. */
  readonly versions: readonly ServedVersion[];
  /** The same objects as another group has them: core events are those of events.k8s.io. */
  readonly alsoIn?: readonly ForeignVersion[] | undefined;
  /** Versions that are declared and not served: managers of fields may have written in them. */
  readonly unserved?: readonly ServedVersion[] | undefined;
  /** The version objects are stored in and the strategy works on; every served version converts to and from it. */
  readonly storage: StorageVersion;
  /** Where stored objects are not read and written as they are. */
  readonly storedForm?: StoredForm | undefined;
  readonly subresources: Readonly<Record<string, Subresource>>;
  /** Where a Scale finds what it shows, where that is not the place in which built-in kinds have it. */
  readonly scale?: ScalePaths | undefined;
  readonly strategy: Strategy;
  /** Tells when it is served no more, where that may happen: watches end with it. */
  readonly lifetime?: { onEnd(listener: () => void): () => void } | undefined;
  /** Columns of `kubectl get`; undefined gives Name and Created At. */
  readonly table: TableColumns | undefined;
  /** Built-in kinds' lists leave kind and apiVersion out of their items, and have no `continue: ""`. */
  readonly custom: boolean;
}

/** A version that the objects have in another group than the resource's own. */
export interface ForeignVersion extends ServedVersion {
  readonly group: string;
}

export interface ServedVersion {
  readonly version: string;
  readonly schema: StructNode;
  /** Undefined when this version's objects are the storage version's but for their apiVersion. */
  readonly conversion: Conversion | undefined;
  /** Off unless --runtime-config turns it on: alpha and beta versions. */
  readonly enabledByDefault: boolean;
  /** A custom resource's schema as its definition wrote it (JSON schema), for OpenAPI; absent where it has none. */
  readonly openapiSchema?: JsonObject | undefined;
  /** Tells one such schema from another without reading it. */
  readonly openapiTag?: string | undefined;
  /** What clients are told who use this version of a custom resource. */
  readonly deprecation?: string | undefined;
}

/** How objects get into the store and out of it, where their schema may have changed since. */
export interface StoredForm {
  /** The version they are written in. */
  readonly apiVersion: string;
  /** Brings what is stored, in whichever version, under today's schema. Changes its argument and returns it. */
  read(object: ApiObject): ApiObject;
  /** Leaves in an object what the stored version has. Changes its argument. */
  write(object: ApiObject): void;
  /** The schema of a version, whether it is served or not; undefined for an unknown version. */
  schemaOf(apiVersion: string): StructNode | undefined;
  /**
   * As `read`, of an object that has just been written as these bytes: who wrote them need not read them. Not for
   * objects that somebody else converts.
   */
  readWritten(object: ApiObject, bytes: Uint8Array): void;
  /** Whether reading these bytes is known to change nothing. */
  isCurrent(bytes: Uint8Array): boolean;
  /** Where other versions than the stored one are made by somebody else. */
  readonly conversion?: StoredConversion | undefined;
}

/**
 * Stored objects in a version that somebody else makes of them, who has to be waited for: what is read is made ready
 * before, so that reading itself waits for nobody.
 */
export interface StoredConversion {
  /** Makes ready what stored objects are in this version; undefined, at once, where they are. @throws ApiError 500 */
  prepare(stored: Iterable<StoredBytes>): Soon<void>;
  /** As `prepare` of one object, whether or not it is ready. @throws ApiError 500 */
  renew(stored: StoredBytes): Soon<void>;
  /** The JSON of what an object has been made; undefined for one that is stored in this version. */
  known(bytes: Uint8Array): string | undefined;
  /** The selectable fields of what an object has been made; undefined for one that is stored in this version. */
  fields(bytes: Uint8Array): Readonly<Record<string, string>> | undefined;
  /** An object, which says its version, in another version. @throws ApiError 500 */
  convert(object: JsonObject, apiVersion: string): Promise<ApiObject>;
}

export interface StoredBytes {
  readonly bytes: Uint8Array;
}

/** Members from the object's root. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly labelSelector: readonly string[] | undefined;
}

interface StorageVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: StructNode;
}

/** Functions over decoded objects; they may change their argument and return it. */
export interface Conversion {
  toStorage(object: ApiObject): ApiObject;
  fromStorage(object: ApiObject): ApiObject;
  /** The member of the spec that is stored without defaults when it is written in this version: readers fill them in. */
  readonly leavesDefaultsIn?: string;
}

export interface Subresource {
  readonly verbs: readonly string[];
  /** The kind in the body, where it is not the resource's own: `autoscaling/v1/Scale`. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** False where it cannot be asked for as a Table, as in Kubernetes. */
  readonly tables?: boolean;
}

/** Where differences and faults of declared rules are told. */
export interface DeclarativeObserver {
  /** What code and declarations find is not the same; the text says what. */
  mismatched(detail: string): void;
  /** A declared rule threw. */
  panicked(error: unknown): void;
}

/** What a kind's rules may look at besides the objects. */
export interface StrategyContext {
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  readonly gateEnabled: (gate: string) => boolean;
  /**
   * The oldest minor version of Kubernetes 1 that has to understand new expressions; the one before ours by
   * default.
   */
  readonly minCompatibilityMinor?: number | undefined;
  /** Whether an object to be validated is as it will be stored: no list and no map that was given as empty is in it. */
  readonly isFinal?: boolean;
  /** Whether privileged containers may be (--allow-privileged); undefined where nobody has said that they may not. */
  readonly allowPrivileged?: boolean;
  /** Undefined where nobody can verify signatures: then they are not looked at. */
  readonly verifySignature?: VerifySignature | undefined;
  /** A name that nobody else has, where a kind makes one of it. */
  readonly newUid?: () => string;
  /** The labels of a namespace; undefined for one that is not there, and where nobody can tell. */
  readonly namespaceLabels?: (namespace: string) => Readonly<Record<string, string>> | undefined;
  /** Measures what rules of custom resources take that are expressions; undefined for nobody. */
  readonly expressions?: ExpressionObserver | undefined;
  /** Who is told where declared rules of validation and those in code differ. */
  readonly declarative?: DeclarativeObserver | undefined;
  /** Who makes the request. */
  readonly user: {
    readonly name: string;
    readonly uid: string;
    readonly groups: readonly string[];
    readonly extra: Readonly<Record<string, readonly string[]>>;
  };
}

/**
 * What differs between kinds on the common path. All functions work on objects of the storage version: `T` is the type
 * in which they read them, `D` the one in which they change them.
 */
export interface Strategy<T = ApiObject, D = T> {
  /** How names are checked. */
  readonly nameRule: NameRule;
  /** How they are checked in place of that while a gate is on. */
  readonly gatedNameRule?: { readonly gate: string; readonly rule: NameRule };
  /** In place of that: a rule that looks at the rest of the object. `isPrefix` of a generateName. */
  readonly nameFaults?: (text: string, isPrefix: boolean, object: T) => readonly string[];
  /** Finalizers need no domain. */
  readonly anyFinalizer?: true;
  /** Metadata is looked at only where the kind's own rules found nothing in a new object. */
  readonly checksMetadataLast?: true;
  /** Why an object that fits its type cannot be read all the same: Kubernetes holds an annotation as a number. */
  readonly readFault?: (object: T) => string | undefined;
  /** It has opaque values that may not change, their texts included: the order of their members counts. */
  readonly keepsTexts?: true;
  /** What is looked at in a new object, in the order in which clients are told; metadata, then the rest by default. */
  readonly createChecks?: readonly CreateCheck[];
  /** The kind has no rule for names: that they can stand in a path is asked of a new object where all else is right. */
  readonly checksNamesLast?: true;
  /** What is looked at when an object is changed, in the order in which clients are told; `defaultUpdateChecks`. */
  readonly updateChecks?: readonly UpdateCheck[];
  /** The same where a status or another part of an object is changed. */
  readonly partChecks?: readonly UpdateCheck[];
  /** Whether metadata.generation counts changes, and of which members: all but metadata and status by default. */
  readonly generation: boolean;
  /** A kind with a status subresource: writes to the object leave status alone, writes to /status all the rest. */
  readonly hasStatus: boolean;
  /** Whether a PUT may create the object. */
  readonly createOnUpdate: boolean;
  /**
   * A write to the status creates an object that is not there: one that is applied, and a PUT where a PUT to the object
   * itself does.
   */
  readonly createsByStatus?: true;
  /** Whether a PUT without resourceVersion is accepted. */
  readonly unconditionalUpdate: boolean;
  /** Values of selectable fields beyond metadata.name and metadata.namespace; undefined when there are none. */
  readonly selectableFields: ((object: T) => Record<string, string>) | undefined;
  /** Names of the selectable fields. */
  readonly selectableFieldNames: readonly string[];
  /** How a field that is none of them is refused; see unknownFieldMessage. `onlyMetadata` when undefined. */
  readonly unknownField?: UnknownFieldWording;
  /** What raises the generation besides the members that are neither metadata nor status; `never`: it stays at 1. */
  readonly generationRaisedBy?: 'annotations' | 'labels' | 'status' | 'never' | undefined;
  /** A list or map that is given as empty raises it, too, each time. */
  readonly generationTellsEmpty?: true;
  /** It counts what a write says before anything is dropped of it. */
  readonly generationTellsDropped?: true;
  /** Members of metadata that a write to /status leaves as they are. */
  readonly statusKeeps?: readonly StatusKept[];
  /** Why nothing new may come at the moment; undefined when it may. */
  readonly refusesCreation?: string | undefined;
  /** Fills in what is not said. Changes its argument. */
  readonly defaults: ((object: D, context: StrategyContext) => void) | undefined;
  /** Fills in what a server that wrote the object left to whoever reads it. Changes its argument. */
  readonly defaultsOnRead?: (object: D) => boolean;
  /** Drops what gates keep back, once it is noted who said it. Changes its argument. */
  readonly dropGated?: ((object: D, context: StrategyContext) => void) | undefined;
  readonly prepareForCreate: ((object: D, context: StrategyContext) => void) | undefined;
  /** What clients are told of a new object as they sent it; asked before `prepareForCreate` changes it. */
  readonly creationWarnings?: (object: T, context: StrategyContext) => string[];
  readonly prepareForUpdate: ((next: D, previous: D, context: StrategyContext) => void) | undefined;
  /** Brings in the rules of validation, where they are not there from the start; awaited before each write. */
  readonly load?: (() => Promise<void>) | undefined;
  /** @param previous what an update changes */
  readonly validate: ((object: T, context: StrategyContext, previous?: T) => FieldErrors) | undefined;
  /** Called besides `validate` on creation: what an update need not keep to again. */
  readonly validateCreate?: (object: T, context: StrategyContext) => FieldErrors;
  /** Called besides `validate` on updates. */
  readonly validateUpdate: ((next: T, previous: T, context: StrategyContext) => FieldErrors) | undefined;
  /** To `validateUpdate` a list or map that is given as empty is another than none. */
  readonly changeTellsEmpty?: true;
  /** What a write to /status must keep to, in place of `validate` and `validateUpdate`. */
  readonly validateStatusUpdate?: (next: T, previous: T, context: StrategyContext) => FieldErrors;
  /** Writes on which the rules declared beside the type run, too: subresources, '' for the object itself. */
  readonly declaredRulesFor?: readonly string[];
  readonly warnings: ((next: T, previous: T | undefined, context: StrategyContext) => readonly string[]) | undefined;
  /**
   * A deletion that removes the object at once answers with the object, not with a Status; 'unpublished' where OpenAPI
   * documents say otherwise, as in Kubernetes.
   */
  readonly returnsDeleted?: boolean | 'unpublished';
  /**
   * How long a deletion waits, in seconds, for whoever runs the object; `requested` is what the caller asked for.
   * Without it objects go at once.
   */
  readonly gracePeriod?: (object: T, requested: number | undefined) => number;
  /**
   * What becomes of dependents when a deletion does not say; background deletion unless given. `Unsupported`: nobody asks
   * for dependents, whatever a deletion says.
   */
  readonly defaultPropagation?: 'Orphan' | 'Unsupported';
  /** Said to who leaves it to that default. */
  readonly defaultPropagationWarning?: string;
  /** An annotation that objects have and their metadata alone does not show. */
  readonly unshownAnnotation?: string;
  /** Of a name to be made up, the beginning is the whole. */
  readonly keepsGenerateName?: true;
  /** The first deletion marks the object even where nothing holds it; a further one removes it then (namespaces). */
  readonly deletedTwice?: true;
  /** A deletion's precondition that does not hold is told in the store's short words, and of the resource. */
  readonly shortPreconditions?: true;
  /** The first deletion does not look at what is to become of dependents. */
  readonly marksPlainly?: true;
  /** Subresources that take the whole object and have rules in place of the object's own (a namespace's finalize). */
  readonly subresourceRules?: Readonly<Record<string, SubresourceRules<T, D>>>;
  /**
   * Paths of what a write to a subresource ('' for the object itself) leaves as it is, where the kind says so
   * itself.
   */
  readonly resetFields?: Readonly<Record<string, readonly string[]>>;
  /** What a write to /status keeps of metadata, or changes; called after all but status has been put back. */
  readonly prepareForStatusUpdate?: (next: D, previous: D, context: StrategyContext) => void;
  /**
   * What a first deletion changes in an object that stays for now (a namespace is Terminating). Changes its
   * argument.
   */
  readonly prepareForDelete?: (object: D, context: StrategyContext) => void;
  /** Whether finalizers other than those in metadata keep the object (a namespace's spec.finalizers). */
  readonly heldBySpec?: (object: T) => boolean;
}

/**
 * A part of what a kind looks at when an object is changed: its metadata by itself, how it changed, `validate`,
 * `validateUpdate`. Kinds look at some of it twice, and clients see both.
 */
export type UpdateCheck = 'metadata' | 'metadataChange' | 'content' | 'change';

/** A part of what a kind looks at in a new object: its metadata, `validate`, `validateCreate`. */
type CreateCheck = 'metadata' | 'content' | 'creation';

/** What a write to the status of many kinds leaves as it is: Kubernetes resets these members of metadata. */
export const RESET_METADATA: readonly StatusKept[] = Object.freeze<StatusKept[]>([
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'deletionTimestamp',
]);

/** All that a client may write of metadata, which other kinds keep. */
export const WHOLE_METADATA: readonly StatusKept[] = Object.freeze<StatusKept[]>([
  ...RESET_METADATA,
  'deletionGracePeriodSeconds',
  'generateName',
]);

/** The order of kinds that do not say another. */
export const defaultUpdateChecks: readonly UpdateCheck[] = ['metadataChange', 'content', 'change'];

/** The rules of a built-in kind whose objects are `T`, a type that follows from its declaration. */
export type KindRules<T> = Partial<Strategy<T, Draft<T>>>;

export type SubresourceRules<T = ApiObject, D = T> = Required<
  Pick<Strategy<T, D>, 'prepareForUpdate' | 'validateUpdate'>
> &
  Pick<Strategy<T, D>, 'changeTellsEmpty' | 'updateChecks'>;

/**
 * Kubernetes has four wordings for a field selector on an unknown field: one names the two fields that every kind
 * has, one says that the label is not supported, and two name the kind too.
 */
type UnknownFieldWording = 'onlyMetadata' | 'notSupported' | 'notSupportedByKind' | 'notSupportedForKind';

type StatusKept =
  | 'labels'
  | 'annotations'
  | 'finalizers'
  | 'ownerReferences'
  | 'deletionTimestamp'
  | 'deletionGracePeriodSeconds'
  | 'generateName';

type NameRule = 'subdomain' | 'label' | 'label1035' | 'pathSegment';

export interface TableColumns<T = ApiObject> {
  readonly columns: readonly TableColumn[];
  /** One row's cells for an object of the storage version. */
  readonly cells: (object: T) => Cell[];
  /** What a row says of its object besides the cells: that a pod is finished. */
  readonly conditions?: (object: T) => JsonObject[] | undefined;
  /** The order of rows in the table of a list, where that is not the list's own. */
  readonly order?: (one: T, other: T) => number;
}

/** What a row shows in one column; of what changes with time, as ages do, what tells it by the time in milliseconds. */
export type Cell = Json | ((nowMs: number) => string);

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}
