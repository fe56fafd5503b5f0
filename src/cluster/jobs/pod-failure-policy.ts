// What the podFailurePolicy and the successPolicy of a Job say. Rules and messages are Kubernetes'.

import type { Job } from '../../resources/builtin/batch/v1-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { IndexRanges } from './index-ranges.ts';

type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];
type Rule = NonNullable<NonNullable<NonNullable<Job['spec']>['podFailurePolicy']>['rules']>[number];

/** What the failure of a pod means for its Job. */
interface Verdict {
  /** Whether it counts for the limits. */
  readonly counts: boolean;
  /** Whether its index has failed for good. */
  readonly failsIndex: boolean;
  /** Why the Job has failed; undefined if it has not. */
  readonly failsJob: string | undefined;
}

const COUNTS: Verdict = { counts: true, failsIndex: false, failsJob: undefined };

/** The verdict of the first rule that matches; without one, the failure counts. */
export function failureVerdict({ spec }: Job, pod: Pod): Verdict {
  for (const [index, rule] of (spec?.podFailurePolicy?.rules ?? []).entries()) {
    const found = rule.onExitCodes ? containerMatch(rule, pod) : conditionMatch(rule, pod);
    if (found === undefined) continue;
    if (rule.action === 'Ignore') return { ...COUNTS, counts: false };
    if (rule.action === 'FailIndex') return { ...COUNTS, failsIndex: true };
    if (rule.action === 'Count') return COUNTS;
    if (rule.action === 'FailJob') {
      return { ...COUNTS, failsJob: `${found} matching ${rule.action} rule at index ${index}` };
    }
  }
  return COUNTS;
}

function containerMatch({ onExitCodes }: Rule, { metadata, status }: Pod): string | undefined {
  const { containerName, operator, values = [] } = onExitCodes ?? {};
  const matches = ({ name, state }: ContainerStatus) => {
    const code = state?.terminated?.exitCode ?? 0;
    const isNamed = containerName === undefined || containerName === null || containerName === name;
    if (!isNamed || code === 0) return false;
    return operator === 'In' ? values?.includes(code) : operator === 'NotIn' && !values?.includes(code);
  };
  const found = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find(matches);
  if (found === undefined) return undefined;
  const { namespace, name } = metadata;
  return `Container ${found.name} for pod ${namespace}/${name} failed with exit code ${found.state?.terminated?.exitCode}`;
}

function conditionMatch({ onPodConditions }: Rule, { metadata, status }: Pod): string | undefined {
  const found = (status?.conditions ?? []).find((condition) =>
    onPodConditions?.some(({ type, status: wanted }) => condition.type === type && condition.status === wanted),
  );
  return found === undefined ? undefined : `Pod ${metadata.namespace}/${metadata.name} has condition ${found.type}`;
}

/** Why a Job with these indexes has succeeded before all of them have; undefined if it has not. */
export function earlySuccess({ spec }: Job, succeeded: IndexRanges): string | undefined {
  if (succeeded.size === 0) return undefined;
  const completions = Number(spec?.completions ?? 0);
  for (const [index, { succeededIndexes, succeededCount }] of (spec?.successPolicy?.rules ?? []).entries()) {
    const words = `Matched rules at index ${index}`;
    if (succeededIndexes) {
      const wanted = IndexRanges.parse(succeededIndexes, completions);
      const common = wanted.common(succeeded);
      const isEnough = succeededCount !== undefined && succeededCount !== null && common >= succeededCount;
      if (wanted.size > 0 && (common === wanted.size || isEnough)) return words;
    } else if (succeededCount && succeeded.size >= succeededCount) return words;
  }
  return undefined;
}
