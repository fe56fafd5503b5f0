// Strategy of Job: labels that tell its pods from all others, and a selector of them.

import type { Draft } from '../../../api/object.ts';
import type { KindRules } from '../../definition.ts';
import type { Job } from './v1-objects.ts';

const UID_LABEL = 'batch.kubernetes.io/controller-uid';

export const jobStrategy: KindRules<Job> = {
  defaultsOnRead: labelsFromTemplate,
  prepareForCreate: (job) => {
    job['status'] = {};
    // Labels that are its pods' stay the same as these.
    const { labels } = job.metadata;
    const isShared = labels !== undefined && labels === job.spec?.template?.metadata?.labels;
    if (isShared) delete job.metadata.labels;
    if (job.spec?.manualSelector !== true) selectByUid(job);
    if (isShared) labelsFromTemplate(job);
  },
  prepareForUpdate: (next, previous) => {
    next['status'] = previous['status'];
    const { labels } = next.metadata;
    if (labels !== undefined) next.metadata.labels = { ...labels };
  },
};

/** A job without labels has those of its pods, of which those of the server are some. */
function labelsFromTemplate(job: Draft<Job>): boolean {
  const labels = job.spec?.template?.metadata?.labels;
  if (labels === undefined || job.metadata.labels !== undefined) return false;
  job.metadata.labels = { ...labels };
  return true;
}

/** The labels without a prefix are those of old; labels of the client's own stay, and are refused if they differ. */
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

/** As messages show maps. */
function byName(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1)));
}
