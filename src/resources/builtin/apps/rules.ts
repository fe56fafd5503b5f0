// What workloads that keep pods running must keep to, as their kinds' behaviour.

import type { Behaviour } from '../../definition.ts';
import { templateWarnings } from '../core/pod/warnings.ts';
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
import {
  validateControllerRevision,
  validateDaemonSet,
  validateDataKept,
  validateDeployment,
  validateNewRevision,
  validateReplicaSet,
  validateSelectorKept,
} from './validation.ts';

const ofTemplate = templateWarnings('spec.template', false);
const ofNamedTemplate = templateWarnings('spec.template', true);

export const controllerRevisionRules: Partial<Behaviour> = {
  updateChecks: ['metadataChange', 'metadata', 'content', 'change'],
  validate: validateControllerRevision,
  validateCreate: validateNewRevision,
  validateUpdate: validateDataKept,
};

export const daemonSetRules: Partial<Behaviour> = {
  // What has changed is told before what is wrong in itself.
  validateCreate: validateDaemonSet,
  validateUpdate: (next, previous, rules) => [
    ...validateSelectorKept(next, previous),
    ...validateDaemonSet(next, rules),
  ],
  validateStatusUpdate: validateDaemonSetStatus,
  warnings: ofTemplate,
};

export const deploymentRules: Partial<Behaviour> = {
  validate: validateDeployment,
  validateUpdate: validateSelectorKept,
  validateStatusUpdate: validateDeploymentStatus,
  warnings: ofNamedTemplate,
};

export const replicaSetRules: Partial<Behaviour> = {
  validate: validateReplicaSet,
  validateUpdate: validateSelectorKept,
  validateStatusUpdate: validateReplicaSetStatus,
  warnings: ofNamedTemplate,
};

export const statefulSetRules: Partial<Behaviour> = {
  // Its pods are called after it, with a number behind.
  nameRule: 'label',
  validateCreate: validateNewStatefulSet,
  validateUpdate: (next, previous, rules) => [
    ...validateStatefulSet(next, rules),
    ...validateStatefulSetUpdate(next, previous),
  ],
  validateStatusUpdate: validateStatefulSetStatus,
  warnings: (next, previous, rules) => [...ofTemplate(next, previous, rules), ...statefulSetWarnings(next, previous)],
};
