// Quota evaluator of pods: their number and resources, within the scopes of pod quotas.

import type { ApiObject, Json } from '../../api/object.ts';
import type { PodSpec } from '../../resources/builtin/core/pod/objects.ts';
import { qosClass } from '../../resources/builtin/core/pod/quality-of-service.ts';
import { asksAsWhole } from '../../resources/builtin/core/pod/resources-defaults.ts';
import { at, listAt, numberAt, textAt } from '../../resources/value.ts';
import { type Amounts, amountsAt, ONE } from './amounts.ts';
import { type Evaluator, type ScopeRequirement, satisfies } from './evaluator.ts';
import { podRequirements } from './pod-requirements.ts';

const OF_NODES = ['cpu', 'memory', 'ephemeral-storage'];
const COUNTED: ReadonlySet<string> = new Set([
  'pods',
  'count/pods',
  ...OF_NODES.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
/** What every container must specify once a quota limits it. */
const TO_BE_SAID: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
]);

export const podEvaluator: Evaluator = {
  charges: ({ operation, request, object, previous }) => {
    if (request.subresource === 'resize') return operation === 'update';
    if (request.subresource !== '') return false;
    // Gaining or losing activeDeadlineSeconds changes which quotas match a pod.
    const comesOver =
      object !== undefined && previous !== undefined && isTerminating(object) !== isTerminating(previous);
    return operation === 'create' || (operation === 'update' && comesOver);
  },
  counts: (name) =>
    COUNTED.has(name) || /^(requests\.)?hugepages-/.test(name) || (name.startsWith('requests.') && isExtended(name)),
  complaint,
  isWithin,
  usage,
};

function isExtended(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/');
}

/** Terminated pods only count as objects. */
function usage(pod: ApiObject): Amounts {
  const used = hasEnded(pod)
    ? new Map()
    : computeUsage(podRequirements(pod, 'requests'), podRequirements(pod, 'limits'));
  if (!hasEnded(pod)) used.set('pods', ONE);
  return used.set('count/pods', ONE);
}

function hasEnded(pod: ApiObject): boolean {
  return ['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase'));
}

/** Requests and limits by their quota names. */
function computeUsage(requests: Amounts, limits: Amounts): Amounts {
  const used: Amounts = new Map();
  for (const [name, amount] of requests) {
    const isPlain = OF_NODES.includes(name) || name.startsWith('hugepages-');
    if (isPlain) used.set(name, amount);
    if (isPlain || isExtended(name)) used.set(`requests.${name}`, amount);
  }
  for (const name of OF_NODES) {
    const limit = limits.get(name);
    if (limit !== undefined) used.set(`limits.${name}`, limit);
  }
  return used;
}

function complaint(pod: ApiObject, limited: readonly string[]): string {
  const toBeSaid = limited.filter((name) => TO_BE_SAID.has(name)).sort();
  // Pod-level resources suffice.
  if (toBeSaid.length === 0 || asksAsWhole((pod.spec ?? {}) as PodSpec)) return '';
  const silent = new Map<string, Set<string>>();
  for (const container of [...listAt(pod, 'spec', 'containers'), ...listAt(pod, 'spec', 'initContainers')]) {
    const said = computeUsage(
      amountsAt(container, 'resources', 'requests'),
      amountsAt(container, 'resources', 'limits'),
    );
    for (const name of toBeSaid) {
      if (said.has(name)) continue;
      silent.set(name, (silent.get(name) ?? new Set()).add(textAt(container, 'name')));
    }
  }
  if (silent.size === 0) return '';
  const missing = toBeSaid.flatMap((name) => {
    const containers = silent.get(name);
    return containers === undefined ? [] : [`${name} for: ${[...containers].sort().join(',')}`];
  });
  return `must specify ${missing.join('; ')}`;
}

function isWithin(pod: ApiObject, requirement: ScopeRequirement): boolean {
  switch (requirement.scope) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return qosClass(pod) === 'BestEffort';
    case 'NotBestEffort':
      return qosClass(pod) !== 'BestEffort';
    case 'PriorityClass':
      return satisfies(requirement, textAt(pod, 'spec', 'priorityClassName'));
    case 'CrossNamespacePodAffinity':
      return looksIntoOtherNamespaces(pod);
    default:
      return false;
  }
}

function isTerminating(pod: ApiObject): boolean {
  return at(pod, 'spec', 'activeDeadlineSeconds') !== undefined && numberAt(pod, 'spec', 'activeDeadlineSeconds') >= 0;
}

function looksIntoOtherNamespaces(pod: ApiObject): boolean {
  return ['podAffinity', 'podAntiAffinity'].some((kind) => {
    const affinity = at(pod, 'spec', 'affinity', kind);
    const required = listAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution');
    const preferred = listAt(affinity, 'preferredDuringSchedulingIgnoredDuringExecution');
    return [...required, ...preferred.map((each) => at(each, 'podAffinityTerm'))].some(namesNamespaces);
  });
}

function namesNamespaces(term: Json | undefined): boolean {
  return listAt(term, 'namespaces').length > 0 || at(term, 'namespaceSelector') !== undefined;
}
