// Pods of a Job: with the finalizer by which they are counted, and in an Indexed Job with their index.

import type { Draft } from '../../api/object.ts';
import type { Job } from '../../resources/builtin/batch/v1-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { podFromTemplate } from '../workloads/pod-control.ts';
import {
  FAILURES,
  failuresBefore,
  IGNORED_FAILURES,
  INDEX,
  ignoredFailuresBefore,
  limitsEachIndex,
  TRACKING,
} from './job-pods.ts';
import { failureVerdict } from './pod-failure-policy.ts';

const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX';
/** The longest prefix of a generated name. */
const LONGEST_PREFIX = 63 - 5;

/**
 * A new pod.
 *
 * @param index undefined if the Job has none
 * @param replaced the failed pod of that index that it replaces
 */
export function jobPod(job: Job, index: number | undefined, replaced: Pod | undefined): Draft<Pod> {
  const pod = podFromTemplate(job, job.spec?.template);
  const { metadata, spec = {} } = pod;
  metadata.finalizers = [...new Set([...(metadata.finalizers ?? []), TRACKING])];
  if (index === undefined) return pod;
  const { name = '' } = job.metadata;
  const suffix = `-${index}-`;
  metadata.generateName = name.slice(0, LONGEST_PREFIX - suffix.length) + suffix;
  metadata.annotations = { ...metadata.annotations, [INDEX]: `${index}`, ...failureCounts(job, replaced) };
  metadata.labels = { ...metadata.labels, [INDEX]: `${index}` };
  spec.hostname = `${name}-${index}`;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (container.env?.some((variable) => variable.name === INDEX_VARIABLE)) continue;
    const valueFrom = { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.labels['${INDEX}']` } };
    container.env = [...(container.env ?? []), { name: INDEX_VARIABLE, valueFrom }];
  }
  return { ...pod, spec };
}

function failureCounts(job: Job, replaced: Pod | undefined): Record<string, string> {
  if (!limitsEachIndex(job)) return {};
  if (replaced === undefined) return { [FAILURES]: '0' };
  const { counts } = failureVerdict(job, replaced);
  const failures = failuresBefore(replaced) + (counts ? 1 : 0);
  const ignored = ignoredFailuresBefore(replaced) + (counts ? 0 : 1);
  return { [FAILURES]: `${failures}`, ...(ignored > 0 ? { [IGNORED_FAILURES]: `${ignored}` } : {}) };
}
