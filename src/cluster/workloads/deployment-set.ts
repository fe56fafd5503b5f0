// The ReplicaSet that a Deployment creates for a new template.

import { copyJson } from '../../api/json-writer.ts';
import type { Draft } from '../../api/object.ts';
import type { Deployment, ReplicaSet } from '../../resources/builtin/apps/v1-objects.ts';
import { controlledBy } from '../owners.ts';
import { HASH_LABEL, maxRevision, withRevision, withSizes } from './deployment-revisions.ts';
import { maxSurge, replicasOf, sizeOfCurrent } from './deployment-scaling.ts';
import { contentHash } from './pod-template-hash.ts';

const LONGEST_NAME = 253;

/**
 * The ReplicaSet of the present template, with as many replicas as the rollout may begin with. Its name depends on the
 * template alone, so that it is never created twice.
 *
 * @param old the other ReplicaSets
 */
export function newSet(deployment: Deployment, old: readonly ReplicaSet[]): Draft<ReplicaSet> {
  const { name = '', namespace = '' } = deployment.metadata;
  const { template, selector, minReadySeconds } = deployment.spec ?? {};
  const hash = contentHash(template, deployment.status?.collisionCount ?? 0);
  const labels = { ...template?.metadata?.labels, [HASH_LABEL]: hash };
  const copy = copyJson({ ...template, metadata: { ...template?.metadata, labels } });
  const set: ReplicaSet = {
    metadata: {
      name: `${name.slice(0, LONGEST_NAME - 1 - hash.length)}-${hash}`,
      namespace,
      labels: { ...labels },
      ownerReferences: [controlledBy(deployment)],
    },
    spec: {
      replicas: 0,
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [HASH_LABEL]: hash } },
      template: copy,
    },
  };
  const desired = replicasOf(deployment);
  const annotated = withRevision(set, deployment, maxRevision(old) + 1n);
  const sizes = { desired, maximum: desired + maxSurge(deployment) };
  set.metadata.annotations = withSizes({ metadata: { annotations: annotated } }, sizes);
  const replicas = sizeOfCurrent(deployment, set, [...old, set]);
  return { ...set, spec: { ...set.spec, replicas } } as Draft<ReplicaSet>;
}
