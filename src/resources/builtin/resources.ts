// All built-in resources, and the order in which groups and versions are published.

import { CURRENT_MINOR } from '../../lifecycle/version.ts';
import type { ResourceDefinition } from '../definition.ts';
import { admissionregistrationResources } from './admissionregistration/resources.ts';
import { apiextensionsResources } from './apiextensions/resources.ts';
import { apiregistrationResources } from './apiregistration/resources.ts';
import { apiserverinternalResources } from './apiserverinternal/resources.ts';
import { appsResources } from './apps/resources.ts';
import { authenticationResources } from './authentication/resources.ts';
import { authorizationResources } from './authorization/resources.ts';
import { autoscalingResources } from './autoscaling/resources.ts';
import { batchResources } from './batch/resources.ts';
import { certificatesResources } from './certificates/resources.ts';
import { coordinationResources } from './coordination/resources.ts';
import { coreResources } from './core/resources.ts';
import { discoveryResources } from './discovery/resources.ts';
import { eventsResources } from './events/resources.ts';
import { flowcontrolResources } from './flowcontrol/resources.ts';
import { lifecycleResources } from './lifecycle/resources.ts';
import { networkingResources } from './networking/resources.ts';
import { nodeResources } from './node/resources.ts';
import { policyResources } from './policy/resources.ts';
import { rbacResources } from './rbac/resources.ts';
import { resourceResources } from './resource/resources.ts';
import { schedulingResources } from './scheduling/resources.ts';
import { storageResources } from './storage/resources.ts';
import { storagemigrationResources } from './storagemigration/resources.ts';

const DECLARED: readonly ResourceDefinition[] = [
  ...coreResources,
  ...apiregistrationResources,
  ...appsResources,
  ...eventsResources,
  ...authenticationResources,
  ...authorizationResources,
  ...autoscalingResources,
  ...batchResources,
  ...certificatesResources,
  ...networkingResources,
  ...policyResources,
  ...rbacResources,
  ...storageResources,
  ...admissionregistrationResources,
  ...apiextensionsResources,
  ...schedulingResources,
  ...coordinationResources,
  ...nodeResources,
  ...discoveryResources,
  ...resourceResources,
  ...flowcontrolResources,
  ...apiserverinternalResources,
  ...storagemigrationResources,
  ...lifecycleResources,
];

/** The built-in resources of the release that is served by default. */
export const builtinResources: readonly ResourceDefinition[] = builtinResourcesIn(CURRENT_MINOR);

/** The built-in resources of a minor release of Kubernetes 1. */
export function builtinResourcesIn(minor: number): ResourceDefinition[] {
  return DECLARED.flatMap((definition) => definition.inRelease?.(minor) ?? []);
}
