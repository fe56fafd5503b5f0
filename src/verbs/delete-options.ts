// The options of a deletion, from its body or, without one, from its query.

import { errors, type FieldError, fieldError } from '../api/errors.ts';
import { parseApiVersion } from '../api/group-version.ts';
import { notAnObject, typeMetaOf, unreadableTypeMeta } from '../api/not-an-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { unregisteredKind } from '../api/unregistered-kind.ts';
import { DecodeError, decodeObject } from '../schema/decode.ts';
import type { StructNode } from '../schema/node.ts';
import type { Query } from './query.ts';
import type { RequestBody } from './resource-request.ts';
import { unsafeOptionErrors } from './unsafe-delete.ts';
import { dryRunErrors, isDryRun } from './write-options.ts';

type PropagationPolicy = 'Orphan' | 'Background' | 'Foreground';

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
  /** Undefined: the kind's own policy. */
  readonly propagationPolicy: PropagationPolicy | undefined;
  /** Whether the policy was asked for in its old form, `orphanDependents=false`, which is answered 202 when it takes time. */
  readonly cascadeAsked?: boolean;
  /** Whether the object is one of a collection that is deleted: admission is not told its name. */
  readonly ofCollection?: boolean;
  /** Whether an object is deleted that can't be read; undefined where the gate for it is off. */
  readonly ignoreReadError?: boolean;
}

const POLICIES = ['Foreground', 'Background', 'Orphan', 'nil'];

/**
 * @param type.schema the type meta/v1.DeleteOptions
 * @param type.unsafe whether objects that can't be read may be deleted; else the option for it is ignored
 * @throws ApiError 400 for a query that can't be read, 500 for such a body, 422 for options that are not allowed
 */
export function deleteOptions(
  query: Query,
  body: RequestBody | undefined,
  { schema, unsafe }: { schema: StructNode; unsafe: boolean },
): DeleteOptions {
  const given = body === undefined ? queryOptions(query) : bodyOptions(body, schema);
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
  if (ignoreReadError) found.push(...unsafeOptionErrors({ ...given }));
  if (found.length > 0) throw errors.invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions', name: '' }, found);
  return {
    dryRun: isDryRun(given.dryRun),
    // As large as it may be, it is told in whole seconds: more than a number holds makes no difference.
    gracePeriodSeconds: given.gracePeriodSeconds === undefined ? undefined : Number(given.gracePeriodSeconds),
    preconditions: given.preconditions,
    propagationPolicy: policyOf(given),
    cascadeAsked: orphanDependents === false,
    ...(ignoreReadError && { ignoreReadError }),
  };
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

function bodyOptions(body: RequestBody, schema: StructNode): GivenOptions {
  const value = (body.value ?? {}) as Exclude<Json, null>;
  if (typeof value !== 'object' || Array.isArray(value)) throw errors.unexplained(notAnObject(value));
  checkType(value);
  try {
    const options = decodeObject(schema, value, {}).value as JsonObject;
    return { ...options, dryRun: (options.dryRun as string[] | null | undefined) ?? [] } as GivenOptions;
  } catch (error) {
    if (error instanceof DecodeError) throw errors.unexplained(error.message);
    throw error;
  }
}

/** What a body says it is decides before anything else in it. @throws ApiError 500 */
function checkType(value: JsonObject): void {
  const unreadable = unreadableTypeMeta(value);
  if (unreadable !== undefined) throw errors.unexplained(unreadable);
  const { kind, apiVersion } = typeMetaOf(value);
  if (parseApiVersion(apiVersion) === undefined) {
    throw errors.unexplained(`unexpected GroupVersion string: ${apiVersion}`);
  }
  if (kind === '' || kind === 'DeleteOptions') return;
  throw errors.unexplained(unregisteredKind(kind, apiVersion === '' ? 'meta.k8s.io/v1' : apiVersion));
}
