// Rollbacks of Deployments that clients of extensions/v1beta1 asked for, which an annotation remembers.

import { copyJson } from '../../api/json-writer.ts';
import type { Draft } from '../../api/object.ts';
import type { Deployment, ReplicaSet } from '../../resources/builtin/apps/v1-objects.ts';
import type { PodTemplateSpec } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterEvents } from '../event-recorder.ts';
import type { Informer } from '../informer.ts';
import {
  annotationsOfRollback,
  isSameTemplate,
  lastRevision,
  ROLLBACK,
  revisionOf,
  withoutHash,
} from './deployment-revisions.ts';

interface RollbackNeeds {
  readonly deployments: Informer<Deployment>;
  readonly objects: ClusterObjects;
  readonly events: ClusterEvents;
}

/** The revision that a client wants to go back to, 0 for the last one; undefined for none. */
export function rollbackTarget({ metadata }: Deployment): bigint | undefined {
  const revision = metadata.annotations?.[ROLLBACK] ?? '';
  return /^-?\d+$/.test(revision) ? BigInt(revision) : undefined;
}

/**
 * Gives the Deployment the template of the revision that was asked for, if there is one, and forgets the request.
 * @param sets all ReplicaSets of the Deployment
 */
export async function rollBack(
  { deployments, objects, events }: RollbackNeeds,
  deployment: Deployment,
  sets: readonly ReplicaSet[],
): Promise<undefined> {
  const target = rollbackTarget(deployment) || lastRevision(sets);
  const found = target === 0n ? undefined : sets.find((set) => revisionOf(set) === target);
  const name = JSON.stringify(deployment.metadata.name);
  const isSame = found !== undefined && isSameTemplate(found.spec?.template, deployment.spec?.template);
  if (found === undefined) {
    const what = target === 0n ? 'last revision' : 'the revision to rollback to';
    events.warn(deployment, 'DeploymentRollbackRevisionNotFound', `Unable to find ${what}.`);
  } else if (isSame) {
    const words = `The rollback revision contains the same template as current deployment ${name}`;
    events.warn(deployment, 'DeploymentRollbackTemplateUnchanged', words);
  }
  await objects.update(deployments, deployment, (draft) => {
    if (found !== undefined && !isSame) {
      draft.metadata.annotations = annotationsOfRollback(deployment, found);
      draft.spec = { ...draft.spec, template: copyJson(withoutHash(found.spec?.template)) as Draft<PodTemplateSpec> };
    }
    delete draft.metadata.annotations?.[ROLLBACK];
    return true;
  });
  if (found === undefined || isSame) return;
  events.record(deployment, 'DeploymentRollback', `Rolled back deployment ${name} to revision ${target}`);
}
