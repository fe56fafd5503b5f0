// Disruption budgets in evictions: which budgets cover a pod, and using up one disruption. The disruption controller
// computes the number of allowed disruptions; it is only read and decremented here.

import { ApiError, errors } from '../api/errors.ts';
import { isObject } from '../api/is-object.ts';
import { copyJson } from '../api/json-writer.ts';
import { labelSelectorOf } from '../api/label-selector.ts';
import type { ApiObject, Draft } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import { limits } from '../base/limits.ts';
import { inTurns, mappingEach } from '../base/steps.ts';
import { isSince } from '../lifecycle/version.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../resources/builtin/policy/v1-objects.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { at } from '../resources/value.ts';
import { trackUpdate } from './ownership.ts';
import { Query } from './query.ts';
import type { Registry } from './registry.ts';
import type { ResourceRequest } from './resource-request.ts';
import { decodeStored } from './stored-form.ts';
import { Write, type WriteContext } from './write.ts';
import { updateStored } from './write-object.ts';
import { NO_WRITE_OPTIONS } from './write-options.ts';

const REFUSED = "Cannot evict pod as it would violate the pod's disruption budget.";
const RETRY_AFTER_SECONDS = 10;

/** The budgets whose selector matches the pod's labels. Invalid and missing selectors match nothing. */
export async function budgetsOf(
  registry: Registry,
  budgets: ResourceDefinition,
  { metadata }: ApiObject,
): Promise<ApiObject[]> {
  const { namespace = '', labels = {} } = metadata;
  if (Object.keys(labels).length === 0) return [];
  const { cache } = await registry.storage(budgets);
  const stored = cache.snapshot().objects({ namespace, name: undefined, matches: undefined });
  const turn = registry.turns.begin({ taskName: `disruption budgets of ${namespace}` });
  const all = await inTurns(mappingEach(stored, decodeStored), turn);
  return all.filter((budget) => {
    const selector = at(budget, 'spec', 'selector');
    if (!isObject(selector)) return false;
    try {
      return labelSelectorOf(selector).matches(labels);
    } catch {
      return false;
    }
  });
}

/** Whether the budget allows evicting an unready pod without counting it. */
export function allowsUnready(budget: ApiObject): boolean {
  const { spec, status } = budget as PodDisruptionBudget;
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { desiredHealthy = 0, currentHealthy = 0 } = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

interface Disruption {
  /** The eviction, its user and time. */
  readonly request: ResourceRequest;
  readonly budgets: ResourceDefinition;
  readonly budget: ApiObject;
  readonly pod: string;
  readonly dryRun: boolean;
}

/** Uses up one disruption of a budget. @throws ApiError 429 if none is left, 403 for an invalid status */
export async function takeDisruption(context: WriteContext, disruption: Disruption): Promise<void> {
  const { request, budgets, budget, pod, dryRun } = disruption;
  const { name = '', namespace = '' } = budget.metadata;
  const nowMs = context.registry.clock.now();
  // kube-apiserver writes budgets as a client of its own.
  const own = { query: new Query(), userAgent: 'kube-apiserver' };
  const target = { definition: budgets, version: budgets.versions[0]!, name, namespace, subresource: 'status' };
  const write = new Write(context, { ...request, ...target, ...own }, { ...NO_WRITE_OPTIONS, dryRun });
  await updateStored(write, {
    change: async (current) => {
      checkDisruption(current, budgets);
      const next = copyJson(current);
      const status = next['status'] as Draft<PodDisruptionBudgetStatus>;
      const allowed = (status.disruptionsAllowed ?? 0) - 1;
      status.disruptionsAllowed = allowed;
      if (allowed === 0) noteExhausted(status, nowMs);
      status.disruptedPods = { ...status.disruptedPods, [pod]: timestamp(nowMs) };
      await trackUpdate(write, { next, previous: current });
      return { next };
    },
  });
}

function checkDisruption(budget: ApiObject, definition: ResourceDefinition): void {
  const { name = '', generation = 0 } = budget.metadata;
  const status = (budget as PodDisruptionBudget).status ?? {};
  if ((status.observedGeneration ?? 0) < generation) throw notYet(name);
  const { disruptionsAllowed: allowed = 0 } = status;
  const forbidden = (why: string) => errors.forbidden({ group: 'policy', resource: 'poddisruptionbudget', name }, why);
  if (allowed < 0) throw forbidden('pdb disruptions allowed is negative');
  if (Object.keys(status.disruptedPods ?? {}).length > limits.disruptedPods) {
    throw forbidden('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  }
  if (allowed > 0) return;
  throw refused(`The disruption budget ${name} ${isSince(definition, 35) ? whyNone(status) : shortage(status)}`);
}

function shortage({ desiredHealthy: desired = 0, currentHealthy: current = 0 }: PodDisruptionBudgetStatus): string {
  return `needs ${desired} healthy pods and has ${current} currently`;
}

/** Why no eviction is allowed, from 1.35 on: the counts if too few pods are healthy, else the reason of the condition. */
function whyNone(status: PodDisruptionBudgetStatus): string {
  const { desiredHealthy = 0, currentHealthy = 0, conditions = [] } = status;
  const condition = conditions.find(({ type }) => type === 'DisruptionAllowed');
  const { reason = '', message = '' } = condition?.status === 'False' ? condition : {};
  const none = 'does not allow evicting pods currently';
  if (message !== '' && reason === 'SyncFailed') return `${none} because it failed sync: ${message}`;
  if (currentHealthy <= desiredHealthy) return shortage(status);
  return message === '' ? none : `${none} (${reason}): ${message}`;
}

/** The disruption controller has not processed it yet: retry soon. */
export function notYet(name: string): ApiError {
  return refused(`The disruption budget ${name} is still being processed by the server.`, RETRY_AFTER_SECONDS);
}

function refused(message: string, retryAfterSeconds?: number): ApiError {
  const causes = [{ reason: 'DisruptionBudget', message }];
  const details = retryAfterSeconds === undefined ? { causes } : { causes, retryAfterSeconds };
  return new ApiError({ code: 429, reason: 'TooManyRequests', message: REFUSED, details });
}

/** The condition of a budget that allows no more disruptions. */
function noteExhausted(status: Draft<PodDisruptionBudgetStatus>, nowMs: number): void {
  const conditions = [...(status.conditions ?? [])];
  const index = conditions.findIndex(({ type }) => type === 'DisruptionAllowed');
  const before = conditions[index];
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: status.observedGeneration ?? 0,
    lastTransitionTime: before?.status === 'False' ? (before.lastTransitionTime ?? '') : timestamp(nowMs),
    reason: 'InsufficientPods',
    message: '',
  };
  if (index < 0) conditions.push(condition);
  else conditions[index] = condition;
  status.conditions = conditions;
}
