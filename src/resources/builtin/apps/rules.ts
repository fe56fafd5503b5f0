// Validation of Deployment, DaemonSet, StatefulSet and ReplicaSet, as parts of their strategies.

import { isSince } from '../../../lifecycle/version.ts';
import type { KindRules } from '../../definition.ts';
import { workloadWarnings } from '../core/pod/warnings.ts';
import {
  statefulSetWarnings,
  validateNewStatefulSet,
  validateStatefulSet,
  validateStatefulSetUpdate,
} from './stateful-set-validation.ts';
import {
  validateDaemonSetStatus,
  validateDeploymentStatus,
  validateReplicaSetStatus,
  validateStatefulSetStatus,
} from './status-validation.ts';
import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from './v1-objects.ts';
import {
  validateControllerRevision,
  validateDaemonSet,
  validateDataKept,
  validateDeployment,
  validateNewRevision,
  validateReplicaSet,
  validateSelectorKept,
} from './validation.ts';

const ofTemplate = workloadWarnings(false);
const ofNamedTemplate = workloadWarnings(true);

export const controllerRevisionRules: KindRules<ControllerRevision> = {
  checks: { update: ['metadataChange', 'metadata', 'content', 'change'] },
  validate: validateControllerRevision,
  validateCreate: validateNewRevision,
  validateUpdate: validateDataKept,
};

/** The first minor release of Kubernetes 1 that does not validate updates like creations, too. */
const VALIDATED_ONCE = 34;

/** Validation of the updates of earlier releases. */
const VALIDATED_TWICE = ['metadata', 'content', 'metadataChange', 'content', 'change'] as const;

export function daemonSetRules(minor: number): KindRules<DaemonSet> {
  return {
    ...(isSince({ minor }, VALIDATED_ONCE)
      ? {
          // Errors of changes are reported before others.
          validateCreate: validateDaemonSet,
          validateUpdate: (next, previous, rules) => [
            ...validateSelectorKept(next, previous),
            ...validateDaemonSet(next, rules),
          ],
        }
      : { checks: { update: VALIDATED_TWICE }, validate: validateDaemonSet, validateUpdate: validateSelectorKept }),
    subresources: { status: { validateUpdate: validateDaemonSetStatus } },
    warnings: ofTemplate,
  };
}

export const deploymentRules: KindRules<Deployment> = {
  validate: validateDeployment,
  validateUpdate: validateSelectorKept,
  subresources: { status: { validateUpdate: validateDeploymentStatus } },
  warnings: ofNamedTemplate,
};

export function replicaSetRules(minor: number): KindRules<ReplicaSet> {
  return {
    ...(isSince({ minor }, VALIDATED_ONCE) ? {} : { checks: { update: VALIDATED_TWICE } }),
    validate: validateReplicaSet,
    validateUpdate: validateSelectorKept,
    subresources: { status: { validateUpdate: validateReplicaSetStatus } },
    warnings: ofNamedTemplate,
  };
}

export const statefulSetRules: KindRules<StatefulSet> = {
  // Its pod names consist of its name and a number.
  nameRule: 'label',
  validateCreate: validateNewStatefulSet,
  validateUpdate: (next, previous, rules) => [
    ...validateStatefulSet(next, rules),
    ...validateStatefulSetUpdate(next, previous, rules),
  ],
  subresources: { status: { validateUpdate: validateStatefulSetStatus } },
  warnings: (next, previous, rules) => [...ofTemplate(next, previous, rules), ...statefulSetWarnings(next, previous)],
};
