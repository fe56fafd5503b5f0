// The subresource eviction: deletes a pod if its disruption budget allows it. Evictions are not stored.

import { isConflict } from '../api/error-reasons.ts';
import { type ApiError, errors, fieldError } from '../api/errors.ts';
import { apiVersionOf } from '../api/group-version.ts';
import { isObject } from '../api/is-object.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import { isLater } from '../base/soon.ts';
import { carriedOut } from '../base/steps.ts';
import { DeleteOptions as DeleteOptionsType } from '../resources/builtin/meta/v1.ts';
import { builtinType } from '../resources/builtin/types.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { listAt, textAt } from '../resources/value.ts';
import { replacing } from './admitted-object.ts';
import { requestOfKind } from './body-kind.ts';
import { decodingBody } from './decode-body.ts';
import { checkPreconditions, deleteObject } from './delete.ts';
import { type DeleteOptions, readableOptions } from './delete-options.ts';
import { allowsUnready, budgetsOf, notYet, takeDisruption } from './disruption-budget.ts';
import { getObject } from './get.ts';
import { settleNamespace, wipeServerMetadata } from './object-metadata.ts';
import { dropRepeatedOwners } from './owner-references.ts';
import { trackCreation } from './ownership.ts';
import { setPodCondition } from './pod-condition.ts';
import { Query } from './query.ts';
import type { Registry } from './registry.ts';
import { nothingRepeated, type RequestBody, type ResourceRequest } from './resource-request.ts';
import { decodeStored } from './stored-form.ts';
import { ADMITTED, Write, type WriteContext } from './write.ts';
import { updateStored } from './write-object.ts';
import { NO_WRITE_OPTIONS, writeOptions } from './write-options.ts';

const EVICTING = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
} as const;

/**
 * Evicts the pod in the path.
 * @param budgets the resource poddisruptionbudgets
 * @throws ApiError 400, 404, 409 for preconditions, 429 if the budget forbids it, 500 for two budgets
 */
export async function evictPod(
  context: WriteContext,
  request: ResourceRequest,
  { budgets, body }: { budgets: ResourceDefinition; body: RequestBody },
): Promise<void> {
  const options = { ...writeOptions(request, 'CreateOptions'), turn: body.turn };
  const decoding = carriedOut(
    decodingBody(new Write(context, evictionRequest(request, body), options), body),
    body.turn,
  );
  const eviction = isLater(decoding) ? await decoding : decoding;
  // Admission sees evictions in this version only.
  eviction.apiVersion = apiVersionOf(EVICTION);
  const asked = new Write(context, requestOfKind(request, EVICTION), options);
  wipeServerMetadata(eviction);
  settleNamespace(asked.request, eviction);
  dropRepeatedOwners(request, eviction);
  await trackCreation(asked, eviction);
  await context.admission.admitWhole(
    {
      ...{ request, operation: 'create', object: eviction, previous: undefined, dryRun: options.dryRun },
      replace: replacing(asked, eviction),
    },
    () => {
      const { name } = eviction.metadata;
      if (name !== request.name) throw errors.badRequest('name in URL does not match name in Eviction object');
      givenOptions(request, eviction);
    },
  );
  await evict({ context, request, budgets, given: givenOptions(request, eviction) });
}

interface Eviction {
  readonly context: WriteContext;
  readonly request: ResourceRequest;
  readonly budgets: ResourceDefinition;
  readonly given: GivenOptions;
}

interface Attempt {
  readonly context: WriteContext;
  readonly request: ResourceRequest;
  /** The pod as last read. */
  readonly pod: ApiObject;
  readonly options: DeleteOptions;
  /** Why the deletion with these options is refused, which only comes up when it begins. */
  readonly refusal: ApiError | undefined;
}

/** Evicts the pod in its current state if its budget allows it. */
async function evict({ context, request, budgets, given }: Eviction): Promise<void> {
  const { registry } = context;
  const { options, refusal } = readableOptions(new Query(), bodyOf(given), {
    schema: DeleteOptionsType,
    unsafe: false,
    minor: request.definition.minor,
  });
  const tryUnguarded = async (): Promise<ApiObject | undefined> => {
    const pod = decodeStored(await getObject(registry, { ...request, query: new Query() }));
    if (isGuarded(pod)) return pod;
    await evictUnguarded({ context, request, pod, options, refusal });
    return undefined;
  };
  const pod = await (namesVersion(options) ? tryUnguarded() : retryingConflicts(registry, tryUnguarded));
  if (pod === undefined) return;
  const attempt: Attempt = { context, request, pod, options, refusal };
  const found = await budgetsOf(registry, budgets, pod);
  if (found.length > 1) {
    throw errors.unexplained(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const [budget] = found;
  if (budget === undefined) return markAndDelete(attempt, options);
  if (!isReady(pod) && allowsUnready(budget)) return evictUnready(attempt, budget);
  const disruption = { request, budgets, budget, pod: request.name, dryRun: options.dryRun };
  await retryingConflicts(registry, () => takeDisruption(context, disruption));
  return markAndDelete(attempt, options);
}

/** Tries again, with delays, while others keep changing the object. @throws ApiError 409 of the last attempt */
async function retryingConflicts<T>({ clock, random }: Registry, attempt: () => Promise<T>): Promise<T> {
  for (let left: number = limits.evictionTries; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 1 || !isConflict(error)) throw error;
    }
    // Evictions that failed together should not come back together.
    const delayMs = limits.evictionRetryMs + random.below(limits.evictionRetryMs / 10);
    await new Promise<void>((resolve) => void clock.after(delayMs, resolve));
  }
}

const EVICTION = { group: 'policy', version: 'v1', kind: 'Eviction' };

/** The request as one for an eviction, in the version of its body; the versions are identical. */
function evictionRequest(request: ResourceRequest, body: RequestBody): ResourceRequest {
  const said = isObject(body.value as JsonObject) ? (body.value as JsonObject).apiVersion : undefined;
  const kind = { ...EVICTION, version: said === 'policy/v1beta1' ? 'v1beta1' : 'v1' };
  return requestOfKind(request, kind, builtinType('policy', 'v1', 'Eviction', request.definition.minor));
}

type GivenOptions = JsonObject & { readonly dryRun: string[] };

const UNSAFE = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/**
 * DeleteOptions of the eviction, whose kind and version do not matter; the query may request a dry run too.
 * @throws ApiError 422, 500
 */
function givenOptions({ query }: ResourceRequest, { metadata, deleteOptions: given }: ApiObject): GivenOptions {
  const { kind: _kind, apiVersion: _apiVersion, ...options } = isObject(given) ? given : {};
  const asked = query.all('dryRun').filter((value) => value !== '');
  const inBody = listAt(options, 'dryRun') as string[];
  if (inBody.length > 0 && asked.length > 0 && inBody.join() !== asked.join()) {
    throw errors.unexplained(
      `Non-matching dry-run options in request and content: [${asked.join(' ')}] and [${inBody.join(' ')}]`,
    );
  }
  if (options[UNSAFE] === true) {
    const why = 'can not be set for pod eviction, try after removing the option';
    const fault = fieldError.invalid(`deleteOptions.${UNSAFE}`, true, why);
    throw errors.invalid({ group: EVICTION.group, kind: EVICTION.kind, name: metadata.name ?? '' }, [fault]);
  }
  return { ...options, dryRun: inBody.length > 0 ? inBody : asked };
}

function bodyOf(value: JsonObject): RequestBody {
  return { value, excerpt: '', repeated: nothingRepeated };
}

/** Whether budgets apply to the pod: it is running and not being deleted. */
function isGuarded({ metadata, status }: ApiObject): boolean {
  const phase = textAt(status, 'phase');
  return metadata.deletionTimestamp === undefined && !['Succeeded', 'Failed', 'Pending'].includes(phase);
}

function isReady({ status }: ApiObject): boolean {
  return listAt(status, 'conditions').some(
    (each) => textAt(each, 'type') === 'Ready' && textAt(each, 'status') === 'True',
  );
}

/** A pod that has not started is only deleted if it still has not. */
async function evictUnguarded(attempt: Attempt): Promise<void> {
  const { pod, options } = attempt;
  const mayBegin = pod.metadata.deletionTimestamp === undefined && textAt(pod, 'status', 'phase') === 'Pending';
  await markAndDelete(attempt, mayBegin ? atVersion(options, pod) : options);
}

/** An unready pod is only deleted if it still is unready: otherwise the client may retry. */
async function evictUnready(attempt: Attempt, budget: ApiObject): Promise<void> {
  const { pod, options } = attempt;
  try {
    await markAndDelete(attempt, atVersion(options, pod));
  } catch (error) {
    if (!namesVersion(options) && isConflict(error)) throw notYet(budget.metadata.name ?? '');
    throw error;
  }
}

/** The options with a precondition on the pod's resource version, the caller's own if it has one. */
function atVersion(options: DeleteOptions, { metadata: { resourceVersion } }: ApiObject): DeleteOptions {
  if (namesVersion(options)) return options;
  return { ...options, preconditions: { ...options.preconditions, ...(resourceVersion && { resourceVersion }) } };
}

/** Records in the pod why it is being deleted, and deletes it. */
async function markAndDelete(
  { context: { registry }, request, refusal }: Attempt,
  options: DeleteOptions,
): Promise<void> {
  const target = { ...request, query: new Query(), subresource: '' };
  // Admission has already run for the eviction.
  const context = { registry, admission: ADMITTED };
  if (options.dryRun) {
    if (refusal !== undefined) throw refusal;
    await deleteObject(context, target, options);
    return;
  }
  const marked = await updateStored(new Write(context, target, NO_WRITE_OPTIONS), {
    change: (current) => {
      checkPreconditions(target, current, options.preconditions);
      const next = copyJson(current);
      setPodCondition(next, EVICTING, registry.clock.now());
      return { next };
    },
  });
  if (refusal !== undefined) throw refusal;
  const marking = { ...options.preconditions, resourceVersion: String(marked.object.revision) };
  await deleteObject(context, target, namesVersion(options) ? { ...options, preconditions: marking } : options);
}

function namesVersion({ preconditions }: DeleteOptions): boolean {
  return (preconditions?.resourceVersion ?? '') !== '';
}
