// What a job starts with: labels that tell its pods from all others, and a selector of them.

import { labelValueFaults } from '../../../api/names.ts';
import type { ApiObject } from '../../../api/object.ts';
import type { Behaviour } from '../../definition.ts';
import { fillIn, objectIn } from '../../fill-in.ts';
import { at, isObject } from '../../value.ts';

const UID_LABEL = 'batch.kubernetes.io/controller-uid';

export const jobBehaviour: Partial<Behaviour> = {
  defaultsOnRead: labelsFromTemplate,
  prepareForCreate: (job) => {
    job['status'] = {};
    // Labels that are its pods' stay the same as these.
    if (job.metadata.labels === at(job, 'spec', 'template', 'metadata', 'labels')) delete job.metadata.labels;
    if (at(job, 'spec', 'manualSelector') !== true) selectByUid(job);
    // A name that is too long for a label is refused where it is one first, in the template, and not twice.
    if (labelValueFaults(job.metadata.name ?? '').length === 0) labelsFromTemplate(job);
  },
  prepareForUpdate: (next, previous) => {
    next['status'] = previous['status'];
    const { labels } = next.metadata;
    if (labels !== undefined) next.metadata.labels = { ...labels };
  },
};

/** A job without labels has those of its pods, of which those of the server are some. */
function labelsFromTemplate(job: ApiObject): void {
  const labels = at(job, 'spec', 'template', 'metadata', 'labels');
  if (isObject(labels)) fillIn(job.metadata, { labels: { ...labels } });
}

/** The labels without a prefix are those of old; labels of the client's own stay, and are refused if they differ. */
function selectByUid(job: ApiObject): void {
  const { uid = '', name = '' } = job.metadata;
  const spec = objectIn(job, 'spec');
  const metadata = objectIn(objectIn(spec, 'template'), 'metadata');
  fillIn(objectIn(metadata, 'labels'), {
    [UID_LABEL]: uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  });
  fillIn(objectIn(objectIn(spec, 'selector'), 'matchLabels'), { [UID_LABEL]: uid });
}
