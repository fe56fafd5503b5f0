// DeleteOptions, from the body or, without one, from the query.

import { type ApiError, errors, type FieldError, fieldError } from '../api/errors.ts';
import { parseApiVersion } from '../api/group-version.ts';
import { isObject } from '../api/is-object.ts';
import { stringifyJson } from '../api/json-writer.ts';
import { notAnObject, typeMetaOf, unreadableTypeMeta } from '../api/not-an-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { unregisteredKind } from '../api/unregistered-kind.ts';
import { isSince } from '../lifecycle/version.ts';
import { DecodeError, decodeObject } from '../schema/decode.ts';
import type { StructNode } from '../schema/node.ts';
import type { Query } from './query.ts';
import { inReleaseWords } from './release-errors.ts';
import type { RequestBody } from './resource-request.ts';
import { unsafeOptionErrors } from './unsafe-delete.ts';
import { dryRunErrors, isDryRun } from './write-options.ts';

type PropagationPolicy = 'Orphan' | 'Background' | 'Foreground';

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
  /** Undefined for the kind's default policy. */
  readonly propagationPolicy: PropagationPolicy | undefined;
  /** Whether the deprecated `orphanDependents=false` was used, for which a deletion in progress returns 202. */
  readonly cascadeAsked?: boolean;
  /** The object's turn in the deletion of a collection: admission then does not see its name. */
  readonly inCollection?: CollectionTurn;
  /** Whether an unreadable object may be deleted; undefined if the gate is disabled. */
  readonly ignoreReadError?: boolean;
}

/** The turn of one object of a collection: none is admitted before the one in front of it was. */
export interface CollectionTurn {
  /** Whether those in front have been admitted; the others stay. */
  readonly isNext: Promise<boolean>;
  /** Lets the next one go. */
  readonly pass: () => void;
}

const POLICIES = ['Foreground', 'Background', 'Orphan', 'nil'];

interface OptionsType {
  /** The type meta/v1.DeleteOptions. */
  readonly schema: StructNode;
  /** Whether unreadable objects may be deleted; otherwise that option is ignored. */
  readonly unsafe: boolean;
  /** The minor release of Kubernetes 1 that is served. */
  readonly minor: number;
}

/** @throws ApiError 400 for an invalid query, `unreadableOptions` for an invalid body, 422 for invalid options */
export function deleteOptions(query: Query, body: RequestBody | undefined, type: OptionsType): DeleteOptions {
  const { options, refusal } = readableOptions(query, body, type);
  if (refusal !== undefined) throw refusal;
  return options;
}

/** Options that can be read, and why a deletion with them is refused. */
interface ReadableOptions {
  readonly options: DeleteOptions;
  readonly refusal: ApiError | undefined;
}

/** @throws ApiError 400 for an invalid query, `unreadableOptions` for an invalid body */
export function readableOptions(
  query: Query,
  body: RequestBody | undefined,
  { schema, unsafe, minor }: OptionsType,
): ReadableOptions {
  const given = body === undefined ? queryOptions(query) : bodyOptions(body, schema, minor);
  const found: FieldError[] = [];
  const { propagationPolicy, orphanDependents } = given;
  if (orphanDependents !== undefined && propagationPolicy !== undefined) {
    found.push(
      fieldError.invalid(
        'propagationPolicy',
        propagationPolicy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  }
  if (propagationPolicy !== undefined && !POLICIES.slice(0, 3).includes(propagationPolicy)) {
    found.push(fieldError.notSupported('propagationPolicy', propagationPolicy, POLICIES));
  }
  found.push(...dryRunErrors(given.dryRun));
  const ignoreReadError = unsafe && given.ignoreStoreReadErrorWithClusterBreakingPotential === true;
  if (ignoreReadError) found.push(...unsafeOptionErrors({ ...given }, minor));
  const options = {
    dryRun: isDryRun(given.dryRun),
    // Reported in whole seconds however large it is; precision beyond a number's does not matter.
    gracePeriodSeconds: given.gracePeriodSeconds === undefined ? undefined : Number(given.gracePeriodSeconds),
    preconditions: given.preconditions,
    propagationPolicy: policyOf(given),
    cascadeAsked: orphanDependents === false,
    ...(ignoreReadError && { ignoreReadError }),
  };
  return { options, refusal: found.length > 0 ? refusal(found, minor) : undefined };
}

interface GivenOptions {
  readonly dryRun: readonly string[];
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

function policyOf({ propagationPolicy, orphanDependents }: GivenOptions): PropagationPolicy | undefined {
  if (propagationPolicy !== undefined) return propagationPolicy as PropagationPolicy;
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? 'Orphan' : 'Background';
}

function queryOptions(query: Query): GivenOptions {
  const preconditions = queryPreconditions(query);
  return {
    dryRun: query.all('dryRun'),
    gracePeriodSeconds: query.integer('gracePeriodSeconds'),
    propagationPolicy: query.has('propagationPolicy') ? query.text('propagationPolicy') : undefined,
    orphanDependents: query.optionalFlag('orphanDependents'),
    ignoreStoreReadErrorWithClusterBreakingPotential: query.optionalFlag(
      'ignoreStoreReadErrorWithClusterBreakingPotential',
    ),
    ...(preconditions !== undefined && { preconditions }),
  };
}

function queryPreconditions(query: Query): DeleteOptions['preconditions'] {
  const [uid, resourceVersion] = [query.text('uid'), query.text('resourceVersion')];
  if (uid === '' && resourceVersion === '') return undefined;
  return { ...(uid !== '' && { uid }), ...(resourceVersion !== '' && { resourceVersion }) };
}

function bodyOptions(body: RequestBody, schema: StructNode, minor: number): GivenOptions {
  const value = (body.value ?? {}) as Json;
  if (!isObject(value)) throw unreadableOptions(notAnObject(value), minor);
  const fault = typeFault(value, body, minor);
  if (fault !== undefined) throw unreadableOptions(fault, minor);
  try {
    const options = decodeObject(schema, value, { floats: body.floats }).value as JsonObject;
    return { ...options, dryRun: (options.dryRun as string[] | null | undefined) ?? [] } as GivenOptions;
  } catch (error) {
    if (error instanceof DecodeError) throw unreadableOptions(error.message, minor);
    throw error;
  }
}

/** What is wrong with the kind of a body, which is checked before everything else in it. */
function typeFault(value: JsonObject, { text }: RequestBody, minor: number): string | undefined {
  const unreadable = unreadableTypeMeta(value);
  if (unreadable !== undefined) return unreadable;
  const { kind, apiVersion } = typeMetaOf(value);
  if (parseApiVersion(apiVersion) === undefined) return `unexpected GroupVersion string: ${apiVersion}`;
  if (apiVersion.endsWith('/')) return `Object 'apiVersion' is missing in '${text ?? stringifyJson(value)}'`;
  if (kind === '' || kind === 'DeleteOptions') return undefined;
  return unregisteredKind(kind, apiVersion === '' ? 'meta.k8s.io/v1' : apiVersion, minor);
}

/**
 * Options that cannot be read: a bad request, and before 1.35 an internal error that has a message alone.
 * @param minor the minor release of Kubernetes 1 that is served
 */
export function unreadableOptions(why: string, minor: number): ApiError {
  return isSince({ minor }, 35) ? errors.badRequest(why) : errors.unexplained(why);
}

const KIND = { group: 'meta.k8s.io', kind: 'DeleteOptions' } as const;

function refusal(found: readonly FieldError[], minor: number): ApiError {
  return errors.invalid({ ...KIND, name: '' }, inReleaseWords(found, { minor, custom: false, ...KIND }));
}
