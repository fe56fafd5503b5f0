// The subresource eviction: a pod is deleted if its disruption budget allows it. Evictions are not stored.

import type { Admission } from '../admission/chain.ts';
import { ApiError, errors } from '../api/errors.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import { DeleteOptions as DeleteOptionsType } from '../resources/builtin/meta/v1.ts';
import { builtinType } from '../resources/builtin/types.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { isObject, listAt, textAt } from '../resources/value.ts';
import { replacing } from './admitted-object.ts';
import { requestOfKind } from './body-kind.ts';
import { decodeBody } from './decode-body.ts';
import { checkPreconditions, deleteObject } from './delete.ts';
import { type DeleteOptions, deleteOptions } from './delete-options.ts';
import { allowsUnready, budgetsOf, notYet, takeDisruption } from './disruption-budget.ts';
import { getObject } from './get.ts';
import { settleNamespace } from './object-metadata.ts';
import { setPodCondition } from './pod-condition.ts';
import { Query } from './query.ts';
import { nothingRepeated, type RequestBody, type ResourceRequest } from './resource-request.ts';
import { decodeStored } from './stored-form.ts';
import { Write, type WriteContext } from './write.ts';
import { updateStored } from './write-object.ts';
import { NO_WRITE_OPTIONS, writeOptions } from './write-options.ts';

const EVICTING = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
} as const;

/**
 * Evicts the pod that the request names.
 * @param budgets the resource poddisruptionbudgets
 * @throws ApiError 400, 404, 409 for preconditions, 429 where the budget does not allow it, 500 for two budgets
 */
export async function evictPod(
  context: WriteContext,
  request: ResourceRequest,
  { budgets, body }: { budgets: ResourceDefinition; body: RequestBody },
): Promise<void> {
  const options = writeOptions(request.query, 'CreateOptions');
  const asked = new Write(context, evictionRequest(request, body), options);
  const eviction = decodeBody(asked, body);
  settleNamespace(asked.request, eviction);
  const { metadata } = eviction;
  if (metadata.name !== request.name) throw errors.badRequest('name in URL does not match name in Eviction object');
  const dryRun = givenOptions(request, eviction).dryRun.length > 0;
  await context.admission.admitWhole({
    ...{ request, operation: 'create', object: eviction, previous: undefined, dryRun },
    replace: replacing(asked, eviction),
  });
  await evict({ context, request, budgets, given: givenOptions(request, eviction) }, limits.writeRetries);
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
  /** The pod as it was looked at. */
  readonly pod: ApiObject;
  readonly options: DeleteOptions;
}

/** Looks at the pod as it is now and lets it go if its budget does. @param tries how often a lost race is run again */
async function evict(eviction: Eviction, tries: number): Promise<void> {
  const { context, request, budgets, given } = eviction;
  const { registry } = context;
  const pod = decodeStored(await getObject(registry, { ...request, query: new Query() }));
  const options = deleteOptions(new Query(), bodyOf(given), { schema: DeleteOptionsType, unsafe: false });
  const attempt: Attempt = { context, request, pod, options };
  if (!isGuarded(pod)) {
    return evictUnguarded(attempt).catch((error: unknown) => {
      if (tries === 0 || namesVersion(options) || !isConflict(error)) throw error;
      return evict(eviction, tries - 1);
    });
  }
  const found = await budgetsOf(registry, budgets, pod);
  if (found.length > 1) {
    throw errors.unexplained(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const [budget] = found;
  if (budget === undefined) return markAndDelete(attempt, options);
  if (!isReady(pod) && allowsUnready(budget)) return evictUnready(attempt, budget);
  await takeDisruption(context, { request, budgets, budget, pod: request.name, dryRun: options.dryRun });
  return markAndDelete(attempt, options);
}

/** An Eviction of either version that there is: nothing in them differs. */
/** The request as one for an eviction, in the version that its body says. */
function evictionRequest(request: ResourceRequest, body: RequestBody): ResourceRequest {
  const said = isObject(body.value as JsonObject) ? (body.value as JsonObject).apiVersion : undefined;
  const kind = { group: 'policy', version: said === 'policy/v1beta1' ? 'v1beta1' : 'v1', kind: 'Eviction' };
  return requestOfKind(request, kind, builtinType('policy', 'v1', 'Eviction'));
}

type GivenOptions = JsonObject & { readonly dryRun: string[] };

/** The eviction's options for the deletion; a dry run may be asked for in the query as well. @throws ApiError 500 */
function givenOptions({ query }: ResourceRequest, { deleteOptions: given }: ApiObject): GivenOptions {
  const options = isObject(given) ? given : {};
  const asked = query.all('dryRun').filter((value) => value !== '');
  const inBody = listAt(options, 'dryRun') as string[];
  if (inBody.length > 0 && asked.length > 0 && inBody.join() !== asked.join()) {
    throw errors.unexplained(
      `Non-matching dry-run options in request and content: [${asked.join(' ')}] and [${inBody.join(' ')}]`,
    );
  }
  return { ...options, dryRun: inBody.length > 0 ? inBody : asked };
}

function bodyOf(value: JsonObject): RequestBody {
  return { value, excerpt: '', repeated: nothingRepeated };
}

/** Whether budgets are about the pod: it has begun, has not ended and is not ending. */
function isGuarded({ metadata, status }: ApiObject): boolean {
  const phase = textAt(status, 'phase');
  return metadata.deletionTimestamp === undefined && !['Succeeded', 'Failed', 'Pending'].includes(phase);
}

function isReady({ status }: ApiObject): boolean {
  return listAt(status, 'conditions').some(
    (each) => textAt(each, 'type') === 'Ready' && textAt(each, 'status') === 'True',
  );
}

/** A pod that has not begun goes only as long as it has not begun. */
async function evictUnguarded(attempt: Attempt): Promise<void> {
  const { pod, options } = attempt;
  const mayBegin = pod.metadata.deletionTimestamp === undefined && textAt(pod, 'status', 'phase') === 'Pending';
  await markAndDelete(attempt, mayBegin ? atVersion(options, pod) : options);
}

/** A pod that is not ready goes only as long as it is not: who comes too late may try again. */
async function evictUnready(attempt: Attempt, budget: ApiObject): Promise<void> {
  const { pod, options } = attempt;
  try {
    await markAndDelete(attempt, atVersion(options, pod));
  } catch (error) {
    if (!namesVersion(options) && isConflict(error)) throw notYet(budget.metadata.name ?? '');
    throw error;
  }
}

/** The options with a version that the pod must still have, the caller's own where it names one. */
function atVersion(options: DeleteOptions, { metadata: { resourceVersion } }: ApiObject): DeleteOptions {
  if (namesVersion(options)) return options;
  return { ...options, preconditions: { ...options.preconditions, ...(resourceVersion && { resourceVersion }) } };
}

/** Of the deletion behind an eviction admission is not asked: it has had its say on the eviction. */
const ADMITTED: Admission = { admit: () => undefined, admitWhole: async () => {}, validate: () => undefined };

/** Says in the pod why it goes, and deletes it. */
async function markAndDelete({ context: { registry }, request }: Attempt, options: DeleteOptions): Promise<void> {
  const target = { ...request, query: new Query(), subresource: '' };
  const context = { registry, admission: ADMITTED };
  if (options.dryRun) {
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
  const marking = { ...options.preconditions, resourceVersion: String(marked.object.revision) };
  await deleteObject(context, target, namesVersion(options) ? { ...options, preconditions: marking } : options);
}

function namesVersion({ preconditions }: DeleteOptions): boolean {
  return (preconditions?.resourceVersion ?? '') !== '';
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'Conflict';
}
