// What actions send: the same changes that kubectl makes for scale, rollout restart, rollout undo, cordon and create job.

import type { WholeObject } from '../cluster/live-table.ts';
import { at, textAt } from '../relations/members.ts';

type Members = Readonly<Record<string, unknown>>;

/** A PATCH request. */
export interface Change {
  readonly contentType: string;
  readonly body: object;
}

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';

const RESTARTED = 'kubectl.kubernetes.io/restartedAt';
const HASH_LABEL = 'pod-template-hash';
/** Annotations that a Deployment keeps for itself when it gets those of a former ReplicaSet. */
const KEPT = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
  'deployment.kubernetes.io/revision-history',
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
  'deprecated.deployment.rollback.to',
]);
const INSTANTIATED = 'cronjob.kubernetes.io/instantiate';

/** Returns the change of a scale subresource. */
export function scaled(replicas: number): Change {
  return { contentType: MERGE, body: { spec: { replicas } } };
}

/** Returns the change that replaces all pods of a workload. @param time RFC 3339 */
export function restarted(time: string): Change {
  return { contentType: MERGE, body: { spec: { template: { metadata: { annotations: { [RESTARTED]: time } } } } } };
}

/** Returns the change of a node on which no more pods are to be scheduled, or again. */
export function cordoned(unschedulable: boolean): Change {
  return { contentType: MERGE, body: { spec: { unschedulable: unschedulable ? true : null } } };
}

/** Returns the template of a ReplicaSet as its Deployment has it: without the label with its hash. */
export function templateOf(set: WholeObject): Members {
  const template = membersOf(at(set, 'spec', 'template'));
  const metadata = membersOf(template['metadata']);
  const { [HASH_LABEL]: _, ...labels } = membersOf(metadata['labels']);
  return { ...template, metadata: { ...metadata, labels } };
}

/** Returns the change that gives a Deployment the template of a former ReplicaSet, and its annotations. */
export function rolledBackTo(set: WholeObject, deployment: WholeObject): Change {
  const of = ({ metadata }: WholeObject) => Object.entries(metadata.annotations ?? {});
  const annotations = Object.fromEntries([
    ...of(deployment).filter(([name]) => KEPT.has(name)),
    ...of(set).filter(([name]) => !KEPT.has(name)),
  ]);
  return {
    contentType: JSON_PATCH,
    body: [
      { op: 'replace', path: '/spec/template', value: templateOf(set) },
      { op: 'add', path: '/metadata/annotations', value: annotations },
    ],
  };
}

/** Returns the change that a ControllerRevision of a StatefulSet or a DaemonSet contains. */
export function restoredFrom(revision: WholeObject): Change {
  return { contentType: STRATEGIC, body: membersOf(revision['data']) };
}

/** Returns a Job of a CronJob, as of now. */
export function jobOf(cronJob: WholeObject, name: string): object {
  const template = at(cronJob, 'spec', 'jobTemplate');
  const { uid, name: owner, namespace } = cronJob.metadata;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...{ name, namespace },
      annotations: { [INSTANTIATED]: 'manual', ...membersOf(at(template, 'metadata', 'annotations')) },
      labels: membersOf(at(template, 'metadata', 'labels')),
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: owner, uid, controller: true }],
    },
    spec: at(template, 'spec'),
  };
}

/** Returns a name for a Job of a CronJob that was asked for at a time: at most as long as names of Jobs may be. */
export function jobName(cronJob: string, time: Date): string {
  const stamp = time.toISOString().replace(/\D/g, '').slice(0, 14);
  return `${cronJob.slice(0, 63 - 1 - stamp.length)}-${stamp}`;
}

/** Returns the revision of a ReplicaSet or a ControllerRevision; 0 if it has none. */
export function revisionOf(object: WholeObject): number {
  const text = object.metadata.annotations?.['deployment.kubernetes.io/revision'] ?? textAt(object, 'revision');
  return Number(text) || 0;
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}
