// Controller that deletes Jobs a time after they have ended: their ttlSecondsAfterFinished.

import type { Controller } from '../../controllers/controller.ts';
import type { Job } from '../../resources/builtin/batch/v1-objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { keyOf, reconciler, splitKey } from '../reconciler.ts';

export function ttlAfterFinishedController(context: ClusterContext): Controller {
  const objects = new ClusterObjects(context, 'ttl-after-finished-controller');
  return reconciler(context, {
    name: 'ttl-after-finished-controller',
    async begin(keys) {
      const jobs = await context.informers.open<Job>('batch', 'jobs');
      jobs.follow({ changed: (job) => expiresAtMs(job) !== undefined && keys.add(keyOf(job)) });
      return async (key) => {
        const { namespace, name } = splitKey(key);
        const job = jobs.get(namespace, name);
        const atMs = job === undefined ? undefined : expiresAtMs(job);
        if (job === undefined || atMs === undefined) return undefined;
        const leftMs = atMs - context.clock.now();
        if (leftMs > 0) return leftMs;
        await objects.delete(jobs, job, { propagationPolicy: 'Foreground' });
        return undefined;
      };
    },
  });
}

/** When a Job is to be deleted; undefined if it is not. */
function expiresAtMs({ metadata, spec, status }: Job): number | undefined {
  const ttl = spec?.ttlSecondsAfterFinished;
  if (metadata.deletionTimestamp !== undefined || ttl === undefined || ttl === null) return undefined;
  const end = status?.conditions?.find(
    (each) => (each.type === 'Complete' || each.type === 'Failed') && each.status === 'True',
  );
  return end?.lastTransitionTime ? Date.parse(end.lastTransitionTime) + ttl * 1000 : undefined;
}
