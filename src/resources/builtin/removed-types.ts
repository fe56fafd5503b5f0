// Types of API versions that are not served: removed ones, and those of documents exchanged between servers. Loaded if
// removed versions are served or migrated from, not at startup; removed-kinds.ts has their names.

import { lookup } from '../../base/lookup.ts';
import type { StructNode } from '../../schema/node.ts';
import * as admissionV1 from './admission/v1.ts';
import {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicyBindingList,
  ValidatingAdmissionPolicyList,
} from './admissionregistration/v1beta1.ts';
import * as apidiscoveryV2 from './apidiscovery/v2.ts';
import * as apiextensionsV1beta1 from './apiextensions/v1beta1.ts';
import * as apiregistrationV1beta1 from './apiregistration/v1beta1.ts';
import * as appsV1beta1 from './apps/v1beta1.ts';
import * as appsV1beta2 from './apps/v1beta2.ts';
import * as auditV1 from './audit/v1.ts';
import * as authenticationV1alpha1 from './authentication/v1alpha1.ts';
import * as authenticationV1beta1 from './authentication/v1beta1.ts';
import * as authorizationV1beta1 from './authorization/v1beta1.ts';
import * as autoscalingV2beta1 from './autoscaling/v2beta1.ts';
import * as autoscalingV2beta2 from './autoscaling/v2beta2.ts';
import * as batchV1beta1 from './batch/v1beta1.ts';
import * as discoveryV1beta1 from './discovery/v1beta1.ts';
import * as eventsV1beta1 from './events/v1beta1.ts';
import * as extensionsV1beta1 from './extensions/v1beta1.ts';
import * as flowcontrolV1beta1 from './flowcontrol/v1beta1.ts';
import * as flowcontrolV1beta2 from './flowcontrol/v1beta2.ts';
import * as flowcontrolV1beta3 from './flowcontrol/v1beta3.ts';
import * as nodeV1alpha1 from './node/v1alpha1.ts';
import * as nodeV1beta1 from './node/v1beta1.ts';
import * as policyV1beta1 from './policy/v1beta1.ts';
import * as rbacV1alpha1 from './rbac/v1alpha1.ts';
import * as rbacV1beta1 from './rbac/v1beta1.ts';
import * as schedulingV1alpha1 from './scheduling/v1alpha1.ts';
import * as schedulingV1beta1 from './scheduling/v1beta1.ts';

/** By group and version. */
export const REMOVED_TYPES: Readonly<Record<string, Readonly<Record<string, StructNode>>>> = lookup({
  'admission.k8s.io/v1': admissionV1,
  'admissionregistration.k8s.io/v1beta1': {
    ValidatingAdmissionPolicy,
    ValidatingAdmissionPolicyList,
    ValidatingAdmissionPolicyBinding,
    ValidatingAdmissionPolicyBindingList,
  },
  'apidiscovery.k8s.io/v2': apidiscoveryV2,
  'apiextensions.k8s.io/v1beta1': apiextensionsV1beta1,
  'apiregistration.k8s.io/v1beta1': apiregistrationV1beta1,
  'apps/v1beta1': appsV1beta1,
  'apps/v1beta2': appsV1beta2,
  'audit.k8s.io/v1': auditV1,
  'authentication.k8s.io/v1alpha1': authenticationV1alpha1,
  'authentication.k8s.io/v1beta1': authenticationV1beta1,
  'authorization.k8s.io/v1beta1': authorizationV1beta1,
  'autoscaling/v2beta1': autoscalingV2beta1,
  'autoscaling/v2beta2': autoscalingV2beta2,
  'batch/v1beta1': batchV1beta1,
  'discovery.k8s.io/v1beta1': discoveryV1beta1,
  'events.k8s.io/v1beta1': eventsV1beta1,
  'extensions/v1beta1': extensionsV1beta1,
  'flowcontrol.apiserver.k8s.io/v1beta1': flowcontrolV1beta1,
  'flowcontrol.apiserver.k8s.io/v1beta2': flowcontrolV1beta2,
  'flowcontrol.apiserver.k8s.io/v1beta3': flowcontrolV1beta3,
  'node.k8s.io/v1alpha1': nodeV1alpha1,
  'node.k8s.io/v1beta1': nodeV1beta1,
  'policy/v1beta1': policyV1beta1,
  'rbac.authorization.k8s.io/v1alpha1': rbacV1alpha1,
  'rbac.authorization.k8s.io/v1beta1': rbacV1beta1,
  'scheduling.k8s.io/v1alpha1': schedulingV1alpha1,
  'scheduling.k8s.io/v1beta1': schedulingV1beta1,
});
