// What pods, pod templates and replication controllers must keep to, as their kinds' behaviour.

import type { FieldErrors } from '../../../../api/errors.ts';
import { validateObjectMeta } from '../../../../api/metadata-validation.ts';
import type { ApiObject } from '../../../../api/object.ts';
import { joined } from '../../../../base/findings.ts';
import type { Behaviour } from '../../../definition.ts';
import { validateReplicaSetStatus } from '../../apps/status-validation.ts';
import { validatePodTemplateObject, validateReplicationController } from '../replication-controller/validation.ts';
import { validateNewPod, validatePod } from './validation.ts';
import { validatePodStatus } from './validation-status.ts';
import { validatePodUpdate } from './validation-update.ts';
import { podWarnings, templateWarnings } from './warnings.ts';

/** A few kinds look at the metadata of what is changed once more with their own rules, which shows in the causes. */
export function metadataAgain({ metadata }: ApiObject): FieldErrors {
  return validateObjectMeta(metadata, { namespaced: true, nameRule: 'subdomain', path: 'metadata' });
}

export const podRules: Partial<Behaviour> = {
  validate: validatePod,
  validateCreate: validateNewPod,
  validateUpdate: (next, previous) => joined(metadataAgain(next), validatePodUpdate(next, previous)),
  validateStatusUpdate: validatePodStatus,
  warnings: podWarnings,
};

export const podTemplateRules: Partial<Behaviour> = {
  validate: validatePodTemplateObject,
  warnings: templateWarnings('template', false),
};

export const replicationControllerRules: Partial<Behaviour> = {
  validate: validateReplicationController,
  // Kubernetes checks the whole controller once more when it is changed.
  validateUpdate: (next, _previous, rules) => joined(metadataAgain(next), validateReplicationController(next, rules)),
  validateStatusUpdate: validateReplicaSetStatus,
  warnings: templateWarnings('spec.template', true),
};
