// Strategies of Pod, PodTemplate and ReplicationController.

import { isSince } from '../../../../lifecycle/version.ts';
import type { KindRules } from '../../../definition.ts';
import { validateReplicaSetStatus } from '../../apps/status-validation.ts';
import type { ReplicationController } from '../replication-controller/objects.ts';
import { validatePodTemplateObject, validateReplicationController } from '../replication-controller/validation.ts';
import type { Pod, PodTemplate } from './objects.ts';
import { completesEarly, podResourcesDefaults } from './resources-defaults.ts';
import { validateNewPod, validatePod } from './validation.ts';
import { validatePodStatus } from './validation-status.ts';
import { validatePodUpdate } from './validation-update.ts';
import { podStatusWarnings, podWarnings, replicationControllerWarnings, templateWarnings } from './warnings.ts';

export const podRules: KindRules<Pod> = {
  // Admission may complete containers, and with them what follows for the whole pod.
  defaultsOnRead: ({ spec }, context) => spec !== undefined && completesEarly(context) && podResourcesDefaults(spec),
  checks: { update: ['metadataChange', 'metadata', 'content', 'change'] },
  validate: validatePod,
  validateCreate: validateNewPod,
  validateUpdate: validatePodUpdate,
  subresources: { status: { validateUpdate: validatePodStatus, warnings: podStatusWarnings } },
  warnings: podWarnings,
};

export const podTemplateRules: KindRules<PodTemplate> = {
  validate: validatePodTemplateObject,
  warnings: templateWarnings(({ template }: PodTemplate) => template, 'template', false),
};

/** Until 1.34 updates are validated like creations, too. */
export function replicationControllerRules(minor: number): KindRules<ReplicationController> {
  return {
    checks: {
      update: isSince({ minor }, 35)
        ? ['metadataChange', 'content']
        : ['metadata', 'content', 'metadataChange', 'content'],
    },
    validate: validateReplicationController,
    subresources: { status: { validateUpdate: validateReplicaSetStatus } },
    warnings: replicationControllerWarnings,
  };
}
