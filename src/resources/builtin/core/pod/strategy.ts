// What pods, pod templates and replication controllers must keep to, as their kinds' behaviour.

import type { Behaviour } from '../../../definition.ts';
import { validateReplicaSetStatus } from '../../apps/status-validation.ts';
import { validatePodTemplateObject, validateReplicationController } from '../replication-controller/validation.ts';
import { validateNewPod, validatePod } from './validation.ts';
import { validatePodStatus } from './validation-status.ts';
import { validatePodUpdate } from './validation-update.ts';
import { podWarnings, templateWarnings } from './warnings.ts';

export const podRules: Partial<Behaviour> = {
  updateChecks: ['metadataChange', 'metadata', 'content', 'change'],
  validate: validatePod,
  validateCreate: validateNewPod,
  validateUpdate: validatePodUpdate,
  validateStatusUpdate: validatePodStatus,
  warnings: podWarnings,
};

export const podTemplateRules: Partial<Behaviour> = {
  validate: validatePodTemplateObject,
  warnings: templateWarnings('template', false),
};

export const replicationControllerRules: Partial<Behaviour> = {
  updateChecks: ['metadata', 'content', 'metadataChange', 'content'],
  validate: validateReplicationController,
  validateStatusUpdate: validateReplicaSetStatus,
  warnings: templateWarnings('spec.template', true),
};
