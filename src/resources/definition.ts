// Definition of a resource as data. Built-in and custom resources have the same form; higher layers do not distinguish
// them.

import type { FieldErrors } from '../api/errors.ts';
import type { UnknownFieldWording } from '../api/field-selector.ts';
import type { NameRuleName } from '../api/names.ts';
import type { ApiObject, Draft, Json, JsonObject } from '../api/object.ts';
import type { Steps } from '../base/steps.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import type { DeclaredValidation } from '../schema/declared/validation.ts';
import type { StructNode } from '../schema/node.ts';
import type { Codec } from './codec.ts';
import type { NumberAnnotation } from './number-annotation.ts';
import type { StoredForm } from './stored-form.ts';
import type { StrategyMemory } from './strategy-memory.ts';
import type { VerifySignature } from './validation/certificate-signature.ts';
import type { IpFamily } from './validation/ip-addresses.ts';

/** Metrics of CEL evaluation. */
export interface ExpressionObserver {
  /** Runs a function and records its duration. */
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
  /** `group/version/Kind` of which discovery has the hash; empty for resources that are not stored. */
  readonly hashedStorage: string;
  /** Not published in discovery. */
  readonly hidesHash?: true;
  /** Storage prefix: `/registry/pods`; a namespaced object is at `<prefix>/<namespace>/<name>`. */
  readonly storagePrefix: string;
  /** Served versions of this group in order of preference, possibly without the storage version. */
  readonly versions: readonly ServedVersion[];
  /** The same objects in another group: core events are those of events.k8s.io. */
  readonly alsoIn?: readonly ForeignVersion[] | undefined;
  /** Versions that are declared but not served: managedFields may refer to them. */
  readonly unserved?: readonly ServedVersion[] | undefined;
  /** The storage version, which the strategy uses; every served version converts to and from it. */
  readonly storage: StorageVersion;
  /** Its objects expire: they are read past the watch cache, not counted by quotas and not garbage collected. */
  readonly expires?: true | undefined;
  /** If stored objects are not read and written as they are. */
  readonly storedForm?: StoredForm | undefined;
  readonly subresources: Readonly<Record<string, Subresource>>;
  /** The paths of a Scale's values, if they differ from those of built-in kinds. */
  readonly scale?: ScalePaths | undefined;
  readonly strategy: Strategy;
  /** Feature gates whose fields its objects keep although the gates are disabled: only other kinds drop these fields. */
  readonly keptGates?: readonly string[] | undefined;
  /** An annotation that Kubernetes holds as a number: metadata alone does not show it. */
  readonly numberAnnotation?: NumberAnnotation | undefined;
  /** Why creates are currently refused; undefined if they are not. */
  readonly refusesCreation?: string | undefined;
  /** Ends when it is no longer served, if that can happen: watches end with it. */
  readonly lifetime?: { onEnd(listener: () => void): () => void } | undefined;
  /** Columns of `kubectl get`; Name and Created At by default. */
  readonly table: TableColumns | undefined;
  /** Whether it is a custom resource, which its definition may withdraw. */
  readonly custom: boolean;
  /** How its objects are read and written. */
  readonly codec: Codec;
  /** The minor release of Kubernetes 1 whose types it has. */
  readonly minor: number;
  /** A built-in resource in a minor release of Kubernetes 1; undefined if it has no such resource. */
  readonly inRelease?: (minor: number) => ResourceDefinition | undefined;
}

/** A version of the objects in another group than the resource's own. */
export interface ForeignVersion extends ServedVersion {
  readonly group: string;
}

export interface ServedVersion {
  readonly version: string;
  readonly schema: StructNode;
  /** The type of its lists, for removed versions, whose list types are not among the built-in types. */
  readonly listSchema?: StructNode | undefined;
  /** Undefined if this version's objects only differ from the storage version in apiVersion. */
  readonly conversion: Conversion | undefined;
  /** Disabled unless --runtime-config enables it: alpha and beta versions. */
  readonly enabledByDefault: boolean;
  /** Reads a custom resource's schema in its definition (JSON schema), for OpenAPI; absent if there is none. */
  readonly openapiSchema?: (() => Steps<JsonObject>) | undefined;
  /** Identifies such a schema without reading it. */
  readonly openapiTag?: string | undefined;
  /** The definition of a custom resource, as JSON. */
  readonly definitionBytes?: (() => Uint8Array) | undefined;
  /** The warning for users of this version of a custom resource. */
  readonly deprecation?: string | undefined;
}

/** Field names from the object's root. */
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

/** Functions on decoded objects; they may modify their argument and return it. */
export interface Conversion {
  toStorage(object: ApiObject): ApiObject;
  fromStorage(object: ApiObject): ApiObject;
  /** The field of the spec that is stored without defaults if it is written in this version: readers apply them. */
  readonly leavesDefaultsIn?: string;
}

export interface Subresource {
  readonly verbs: readonly string[];
  /** The kind in the body, if it is not the resource's own: `autoscaling/v1/Scale`. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** False if it has no Table form, as in Kubernetes. */
  readonly tables?: boolean;
  /** The gate without which it is not served. */
  readonly gate?: FeatureGateName | undefined;
  /** How errors name the resource of a missing object, if not as `deployments`. */
  readonly missingAs?: string | undefined;
}

/** Receives mismatches and failures of declarative validation. */
export interface DeclarativeObserver {
  /** Hand-written and declarative validation disagree; the text says how. */
  mismatched(detail: string): void;
  /** A declarative rule threw. */
  panicked(error: unknown): void;
}

/** The context of strategies. */
export interface StrategyContext {
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  readonly gateEnabled: (gate: string) => boolean;
  /** The minor release of Kubernetes 1 whose rules apply; the one served by default if undefined. */
  readonly minor?: number | undefined;
  /**
   * The oldest minor version of Kubernetes 1 that must be able to compile new expressions; the previous one by default.
   */
  readonly minCompatibilityMinor?: number | undefined;
  /** Whether an object to be validated is in its stored form, without empty lists and maps. */
  readonly isFinal?: boolean;
  /** Whether privileged containers are allowed (--allow-privileged); true if undefined. */
  readonly allowPrivileged?: boolean;
  /** The default IP family of services; IPv4 if undefined. */
  readonly serviceFamily?: IpFamily | undefined;
  /** Undefined if signatures cannot be verified: then they are not checked. */
  readonly verifySignature?: VerifySignature | undefined;
  /** A unique name, for kinds that derive a name from one. */
  readonly newUid?: () => string;
  /** The labels of a namespace; undefined if it does not exist or is unknown. */
  readonly namespaceLabels?: (namespace: string) => Readonly<Record<string, string>> | undefined;
  /** Whether a write gives this member of the status as an empty list, which stored objects do not have. */
  readonly givesEmpty?: (member: string) => boolean;
  /** Errors for what the user may not change in an update. */
  readonly refusedRights?: FieldErrors;
  /** Metrics of CEL validation rules; undefined for none. */
  readonly expressions?: ExpressionObserver | undefined;
  /** Receives mismatches of declarative and hand-written validation. */
  readonly declarative?: DeclarativeObserver | undefined;
  /** The declared rules of the release, if it enforces them: from 1.36 on. */
  readonly declared?: DeclaredValidation | undefined;
  /** Warns the client of a write. */
  readonly warn?: ((warning: string) => void) | undefined;
  /** Caches of the server for the rules of kinds; undefined for none. */
  readonly memory?: StrategyMemory | undefined;
  /** The user of the request. */
  readonly user: {
    readonly name: string;
    readonly uid: string;
    readonly groups: readonly string[];
    readonly extra: Readonly<Record<string, readonly string[]>>;
  };
}

/**
 * Strategy of a kind: everything that differs between kinds. All functions use objects of the storage version: `T` is
 * the type for reading them, `D` the one for modifying them.
 */
export interface Strategy<T = ApiObject, D = T> {
  /** Validation of names: a common rule, or the kind's own. */
  readonly nameRule: NameRuleName | NameRule<T>;
  /** Finalizers need no domain. */
  readonly anyFinalizer?: true;
  /** The steps of validation, if they are not the default ones. */
  readonly checks?: Checks & { readonly create?: readonly CreateCheck[] };
  /** What metadata.generation counts: by default nothing; `true` for changes of everything except metadata and status. */
  readonly generation?: boolean | GenerationRule;
  /** Whether a PUT may create the object. */
  readonly createOnUpdate: boolean;
  /** Whether a PUT without a resourceVersion is accepted, or the versions in which it is. */
  readonly unconditionalUpdate: boolean | readonly string[];
  /** Selectable fields in addition to metadata.name and metadata.namespace. */
  readonly selection?: Selection<T> | undefined;
  /** Applies defaults. Modifies its argument. */
  readonly defaults?: ((object: D, context: StrategyContext) => void) | undefined;
  /** Applies defaults that the server that wrote the object left to its readers. Modifies its argument. */
  readonly defaultsOnRead?: (object: D, context: StrategyContext) => boolean;
  /** Drops fields behind disabled gates, after field ownership is determined. Modifies its argument. */
  readonly dropGated?: (object: D, context: StrategyContext) => void;
  readonly prepareForCreate?: ((object: D, context: StrategyContext) => void) | undefined;
  readonly prepareForUpdate?: ((next: D, previous: D, context: StrategyContext) => void) | undefined;
  /** Loads validation that is not loaded at startup; awaited before each write. */
  readonly load?: () => Promise<void>;
  /** @param previous the stored object of an update */
  readonly validate?: ((object: T, context: StrategyContext, previous?: T) => FieldErrors) | undefined;
  /** Called in addition to `validate` for creates: rules that need not hold for updates. */
  readonly validateCreate?: (object: T, context: StrategyContext) => FieldErrors;
  /** Called in addition to `validate` for updates. */
  readonly validateUpdate?: (next: T, previous: T, context: StrategyContext) => FieldErrors;
  readonly warnings?: (next: T, previous: T | undefined, context: StrategyContext) => readonly string[];
  /** Paths that a write to the object never changes, so that their writers do not own them: by default a kept status. */
  readonly resets?: readonly string[];
  readonly deletion?: DeletionRules<T, D>;
  /** Subresources that take the whole object, by name: each has rules of its own. */
  readonly subresources?: Readonly<Record<string, SubresourceRules<T, D>>>;
}

/** Which changes metadata.generation counts, if not only those of everything except metadata and status. */
export interface GenerationRule {
  /** The gate without which the kind has no generation. */
  readonly gate?: FeatureGateName;
  /** What it counts as well; `nothing` if it remains 1. */
  readonly also?: 'annotations' | 'labels' | 'status' | 'nothing' | undefined;
  /** An empty list or map in the request counts, each time. */
  readonly countsEmpty?: true;
  /** Changes in the request count before anything is dropped. */
  readonly countsDropped?: true;
}

export interface Selection<T = ApiObject> {
  readonly names: readonly string[];
  /** The values by name, and possibly those of other fields; undefined if there are none. */
  readonly values: ((object: T) => Record<string, string>) | undefined;
  /** The field by which watches are indexed: those that require a value of it are not concerned by most writes. */
  readonly indexed?: string;
  /** How a field that is not selectable is refused. Without a selection, the message lists the two common fields. */
  readonly refusal: UnknownFieldWording;
}

/** What is peculiar to deletions of a kind. */
interface DeletionRules<T = ApiObject, D = T> {
  /**
   * A deletion that removes the object immediately returns the object, not a Status, or the versions in which it does;
   * `unpublished` if OpenAPI documents say otherwise, as in Kubernetes.
   */
  readonly returnsObject?: boolean | 'unpublished' | readonly string[];
  /**
   * The grace period of a deletion in seconds, given the `requested` one. Without it objects are removed immediately.
   */
  readonly gracePeriod?: (object: T, requested: number | undefined) => number;
  /**
   * The default propagation policy; Background if absent. `Unsupported`: dependents are ignored, whatever a deletion
   * requests.
   */
  readonly propagation?: 'Orphan' | 'Unsupported';
  /** The warning for deletions that rely on that default. */
  readonly propagationWarning?: string;
  /** The first deletion only marks the object, even if nothing blocks its removal (namespaces, definitions). */
  readonly marking?: Marking<T, D>;
}

/** A first deletion that marks the object. Its preconditions fail in the words of the store, which name the resource. */
interface Marking<T, D> {
  /** Changes the object besides its deletionTimestamp. */
  mark(object: D, context: StrategyContext): void;
  /** Whether a propagation policy counts already. */
  readonly heedsPolicy?: true;
  /** Whether something besides the finalizers in metadata blocks the removal of a marked object. */
  readonly isHeld?: (object: T) => boolean;
}

/** A subresource that takes the whole object: /status writes the status only; others have a `prepareForUpdate`. */
export interface SubresourceRules<T = ApiObject, D = T> {
  readonly checks?: Checks;
  /** Of /status: called after everything except the status has been restored. */
  readonly prepareForUpdate?: (next: D, previous: D, context: StrategyContext) => void;
  readonly validateUpdate?: (next: T, previous: T, context: StrategyContext) => FieldErrors;
  /** Of /status; the warnings of other subresources are those of the object. */
  readonly warnings?: (next: T, previous: T, context: StrategyContext) => readonly string[];
  /** Fields of metadata that a write to /status keeps. */
  readonly keeps?: readonly MetadataMember[];
  /** Paths that a write never changes; by default those that a write to /status keeps. */
  readonly resets?: readonly string[];
  /** A write keeps fields behind disabled gates. */
  readonly keepsGated?: boolean;
  /** A write to /status creates a missing object: an apply, and a PUT if a PUT to the object does. */
  readonly creates?: true;
  /** Writes to the object may change the status too. */
  readonly isShared?: true;
}

/** The steps of validation of an update, in the order of their errors. */
export interface Checks {
  /** `defaultUpdateChecks` if undefined. */
  readonly update?: readonly UpdateCheck[];
  /** The steps from a minor release of Kubernetes 1 on, in place of those of `update`. */
  readonly later?: { readonly since: number; readonly update: readonly UpdateCheck[] };
  /** For `validateUpdate`, an empty list or map differs from an absent one: in all releases, or before one. */
  readonly changeTellsEmpty?: true | { readonly before: number };
}

/**
 * A validation step of an update: metadata alone, its changes, `validate`, `validateUpdate`. Some kinds repeat steps,
 * which clients can see.
 */
export type UpdateCheck = 'metadata' | 'metadataChange' | 'content' | 'change';

/** A validation step of a create: metadata, `validate`, `validateCreate`. */
export type CreateCheck = 'metadata' | 'content' | 'creation';

/** The default orders of steps. */
export const defaultCreateChecks: readonly CreateCheck[] = ['metadata', 'content', 'creation'];
export const defaultUpdateChecks: readonly UpdateCheck[] = ['metadataChange', 'content', 'change'];

/** Fields of metadata that Kubernetes resets in writes to the status of many kinds. */
export const RESET_METADATA: readonly MetadataMember[] = Object.freeze<MetadataMember[]>([
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'deletionTimestamp',
]);

/** Kinds since 1.35: writes to the object reset the status, writes to the status everything else. */
export const STATUS_APART = Object.freeze({
  resets: ['status'],
  subresources: { status: { keeps: RESET_METADATA, resets: ['metadata', 'spec'] } },
});

/** All fields of metadata that a client may write, which other kinds reset. */
export const WHOLE_METADATA: readonly MetadataMember[] = Object.freeze<MetadataMember[]>([
  ...RESET_METADATA,
  'uid',
  'deletionGracePeriodSeconds',
  'generateName',
]);

/** The strategy of a built-in kind whose objects are `T`, a type derived from its declaration. */
export type KindRules<T> = Partial<Strategy<T, Draft<T>>>;

type MetadataMember =
  | 'uid'
  | 'labels'
  | 'annotations'
  | 'finalizers'
  | 'ownerReferences'
  | 'deletionTimestamp'
  | 'deletionGracePeriodSeconds'
  | 'generateName';

/** A kind's own rule for names. */
interface NameRule<T = ApiObject> {
  /** What is wrong with a name, or with a generateName (`isPrefix`). */
  faults(text: string, isPrefix: boolean, of: Named<T>): readonly string[];
  /** The name for a generateName, if it is not the prefix with a random suffix. */
  readonly generate?: (prefix: string) => string;
}

/** What has the name. */
interface Named<T> {
  readonly object: T;
  readonly gateEnabled: StrategyContext['gateEnabled'];
}

export interface TableColumns<T = ApiObject> {
  readonly columns: readonly TableColumn[];
  /** The cells of one row for an object of the storage version. */
  readonly cells: (object: T) => Cell[];
  /** Conditions of a row: for example that a pod has completed. */
  readonly conditions?: (object: T) => JsonObject[] | undefined;
  /** The rows of an empty list are null, as with the default columns. */
  readonly emptyRows?: null;
  /** The order of rows in the table of a list, if it differs from that of the list. */
  readonly order?: (one: T, other: T) => number;
}

/** The value of a cell; for values that depend on time, such as ages, a function of the time in milliseconds. */
export type Cell = Json | ((nowMs: number) => string);

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}
