// Migrations of workloads: Deployments, DaemonSets, ReplicaSets and StatefulSets of extensions/v1beta1, apps/v1beta1
// and apps/v1beta2, and CronJobs of batch/v1beta1. Defaults of old versions are written out.

import { has, isEmptyMap, type Manifest, mapAt, setValue, take } from './manifest.ts';

/** The selector became required: old versions defaulted it to the labels of the template. */
function migrateSelector(manifest: Manifest): void {
  const spec = mapAt(manifest.root, 'spec');
  if (spec === undefined || has(spec, 'selector')) return;
  const labels = mapAt(spec, 'template', 'metadata', 'labels');
  if (labels === undefined || isEmptyMap(labels)) {
    manifest.note('spec.selector is required and there are no template labels to take it from: add one');
    return;
  }
  setValue(spec, 'selector', manifest.node({ matchLabels: labels.toJSON() }));
  manifest.note('spec.selector is required: written from the labels of the template, as the old default');
}

export function migrateDeployment(manifest: Manifest): void {
  migrateSelector(manifest);
  const spec = mapAt(manifest.root, 'spec');
  if (spec === undefined) return;
  if (take(spec, 'rollbackTo') !== undefined) manifest.note('spec.rollbackTo is gone: use kubectl rollout undo');
  const before = manifest.apiVersion;
  if (before === 'apps/v1beta2') return;
  if (!has(spec, 'revisionHistoryLimit')) {
    const limit = before === 'apps/v1beta1' ? 2 : 2_147_483_647;
    setValue(spec, 'revisionHistoryLimit', manifest.node(limit));
    manifest.note(`spec.revisionHistoryLimit: ${limit} was the default and is 10 now: written down`);
  }
  if (before !== 'extensions/v1beta1') return;
  if (!has(spec, 'progressDeadlineSeconds')) {
    setValue(spec, 'progressDeadlineSeconds', manifest.node(2_147_483_647));
    manifest.note('spec.progressDeadlineSeconds: there was no deadline by default and it is 600 now: written down');
  }
  const strategy = mapAt(spec, 'strategy');
  if (strategy === undefined) {
    const rollingUpdate = { maxSurge: 1, maxUnavailable: 1 };
    setValue(spec, 'strategy', manifest.node({ type: 'RollingUpdate', rollingUpdate }));
    manifest.note('spec.strategy: maxSurge and maxUnavailable were 1 by default and are 25% now: written down');
  }
}

export function migrateDaemonSet(manifest: Manifest): void {
  migrateSelector(manifest);
  const spec = mapAt(manifest.root, 'spec');
  if (spec === undefined || manifest.apiVersion !== 'extensions/v1beta1') return;
  if (take(spec, 'templateGeneration') !== undefined) manifest.note('spec.templateGeneration is gone');
  if (has(spec, 'updateStrategy')) return;
  setValue(spec, 'updateStrategy', manifest.node({ type: 'OnDelete' }));
  manifest.note('spec.updateStrategy: OnDelete was the default and is RollingUpdate now: written down');
}

export function migrateStatefulSet(manifest: Manifest): void {
  migrateSelector(manifest);
  const spec = mapAt(manifest.root, 'spec');
  if (spec === undefined || manifest.apiVersion !== 'apps/v1beta1' || has(spec, 'updateStrategy')) return;
  setValue(spec, 'updateStrategy', manifest.node({ type: 'OnDelete' }));
  manifest.note('spec.updateStrategy: OnDelete was the default and is RollingUpdate now: written down');
}

export { migrateSelector as migrateReplicaSet };

export function migrateCronJob(manifest: Manifest): void {
  manifest.note('deleting it deletes its jobs now, unless the deletion says otherwise; before, jobs were orphaned');
}
