// Strategy of Job: labels that identify its pods, and a selector for them.

import type { Draft } from '../../../api/object.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import type { Job, JobSpec } from './v1-objects.ts';

const UID_LABEL = 'batch.kubernetes.io/controller-uid';

export const jobStrategy: KindRules<Job> = {
  defaultsOnRead: labelsFromTemplate,
  prepareForCreate: (job, context) => {
    job['status'] = {};
    dropGated(job.spec, undefined, context);
    // An update that sets it is refused instead.
    if (!context.gateEnabled('JobManagedBy')) delete job.spec?.managedBy;
    // Labels of its pods must equal these.
    const { labels } = job.metadata;
    const isShared = labels !== undefined && labels === job.spec?.template?.metadata?.labels;
    if (isShared) delete job.metadata.labels;
    if (job.spec?.manualSelector !== true) selectByUid(job);
    if (isShared) labelsFromTemplate(job);
  },
  prepareForUpdate: (next, previous, context) => {
    dropGated(next.spec, previous.spec, context);
    const { labels } = next.metadata;
    if (labels !== undefined) next.metadata.labels = { ...labels };
  },
};

/** Fields by feature gate; templates in CronJobs keep them. */
const GATED: readonly (readonly [gate: string, field: keyof JobSpec])[] = [
  ['JobSuccessPolicy', 'successPolicy'],
  ['JobBackoffLimitPerIndex', 'backoffLimitPerIndex'],
  ['JobBackoffLimitPerIndex', 'maxFailedIndexes'],
  ['JobPodReplacementPolicy', 'podReplacementPolicy'],
];

/** Existing fields may stay. */
function dropGated(spec: Draft<JobSpec> = {}, previous: Draft<JobSpec> = {}, { gateEnabled }: StrategyContext): void {
  for (const [gate, field] of GATED) {
    if (spec[field] !== undefined && previous[field] === undefined && !gateEnabled(gate)) delete spec[field];
  }
  const policy = spec.podFailurePolicy;
  if (!policy?.rules || gateEnabled('JobBackoffLimitPerIndex')) return;
  if (previous.podFailurePolicy?.rules?.some(failsIndex) === true) return;
  policy.rules = policy.rules.filter((rule) => !failsIndex(rule));
}

function failsIndex({ action }: { readonly action?: string }): boolean {
  return action === 'FailIndex';
}

/** A Job without labels gets those of its pods, including those set by the server. */
function labelsFromTemplate(job: Draft<Job>): boolean {
  const labels = job.spec?.template?.metadata?.labels;
  if (labels === undefined || job.metadata.labels !== undefined) return false;
  job.metadata.labels = { ...labels };
  return true;
}

/** Labels without a prefix are the legacy ones; labels set by the client are kept, and rejected if they differ. */
function selectByUid(job: Draft<Job>): void {
  const { uid = '', name = '' } = job.metadata;
  const spec = (job.spec ??= {});
  const metadata = ((spec.template ??= {}).metadata ??= {});
  metadata.labels = byName({
    [UID_LABEL]: uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
    ...metadata.labels,
  });
  const { matchLabels, ...rest } = spec.selector ?? {};
  spec.selector = { matchLabels: byName({ [UID_LABEL]: uid, ...matchLabels }), ...rest };
}

/** As messages format maps. */
function byName(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1)));
}
