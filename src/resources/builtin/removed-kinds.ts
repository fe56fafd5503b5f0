// Names of kinds in API versions that are not served, which distinguish a body with one of them from an unknown kind.

import { lookup } from '../../base/lookup.ts';

/** Kinds by group and version, separated by spaces. */
export const REMOVED_KINDS: Readonly<Record<string, string>> = lookup({
  'admission.k8s.io/v1': 'AdmissionReview',
  'admissionregistration.k8s.io/v1beta1':
    'ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingAdmissionPolicyBindingList ValidatingAdmissionPolicyList',
  'apidiscovery.k8s.io/v2': 'APIGroupDiscovery APIGroupDiscoveryList',
  'apiextensions.k8s.io/v1beta1': 'ConversionReview CustomResourceDefinition CustomResourceDefinitionList',
  'apiregistration.k8s.io/v1beta1': 'APIService APIServiceList',
  'apps/v1beta1':
    'ControllerRevision ControllerRevisionList Deployment DeploymentList DeploymentRollback Scale StatefulSet StatefulSetList',
  'apps/v1beta2':
    'ControllerRevision ControllerRevisionList DaemonSet DaemonSetList Deployment DeploymentList ReplicaSet ReplicaSetList Scale StatefulSet StatefulSetList',
  'audit.k8s.io/v1': 'Event EventList Policy PolicyList',
  'authentication.k8s.io/v1alpha1': 'SelfSubjectReview',
  'authentication.k8s.io/v1beta1': 'SelfSubjectReview TokenReview',
  'authorization.k8s.io/v1beta1':
    'LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
  'autoscaling/v2beta1': 'HorizontalPodAutoscaler HorizontalPodAutoscalerList',
  'autoscaling/v2beta2': 'HorizontalPodAutoscaler HorizontalPodAutoscalerList',
  'batch/v1beta1': 'CronJob CronJobList',
  'discovery.k8s.io/v1beta1': 'EndpointSlice EndpointSliceList',
  'events.k8s.io/v1beta1': 'Event EventList',
  'extensions/v1beta1':
    'DaemonSet DaemonSetList Deployment DeploymentList DeploymentRollback Ingress IngressList NetworkPolicy NetworkPolicyList ReplicaSet ReplicaSetList Scale',
  'flowcontrol.apiserver.k8s.io/v1beta1':
    'FlowSchema FlowSchemaList PriorityLevelConfiguration PriorityLevelConfigurationList',
  'flowcontrol.apiserver.k8s.io/v1beta2':
    'FlowSchema FlowSchemaList PriorityLevelConfiguration PriorityLevelConfigurationList',
  'flowcontrol.apiserver.k8s.io/v1beta3':
    'FlowSchema FlowSchemaList PriorityLevelConfiguration PriorityLevelConfigurationList',
  'node.k8s.io/v1alpha1': 'RuntimeClass RuntimeClassList',
  'node.k8s.io/v1beta1': 'RuntimeClass RuntimeClassList',
  'policy/v1beta1': 'Eviction PodDisruptionBudget PodDisruptionBudgetList',
  'rbac.authorization.k8s.io/v1alpha1':
    'ClusterRole ClusterRoleBinding ClusterRoleBindingList ClusterRoleList Role RoleBinding RoleBindingList RoleList',
  'rbac.authorization.k8s.io/v1beta1':
    'ClusterRole ClusterRoleBinding ClusterRoleBindingList ClusterRoleList Role RoleBinding RoleBindingList RoleList',
  'scheduling.k8s.io/v1alpha1': 'PriorityClass PriorityClassList',
  'scheduling.k8s.io/v1beta1': 'PriorityClass PriorityClassList',
});

/** Whether an API version is not, or not completely, served by v1.34. */
export function isRemovedVersion(groupVersion: string): boolean {
  return Object.hasOwn(REMOVED_KINDS, groupVersion);
}

/** By group, version and resource: what is gone without a successor, and what does its work today. */
const REPLACED: Readonly<Record<string, string>> = lookup({
  'policy/v1beta1/podsecuritypolicies':
    'PodSecurityPolicy is gone: label namespaces for pod security admission, or use an admission webhook',
});

/** What a client is told who asks for a resource that nothing serves any more; undefined for all others. */
export function replacementOf(group: string, version: string, resource: string): string | undefined {
  const key = `${group}/${version}/${resource}`;
  return Object.hasOwn(REPLACED, key) ? REPLACED[key] : undefined;
}

/** Whether an API version that is not served has, or had, this kind. */
export function isRemovedKind(groupVersion: string, kind: string): boolean {
  return Object.hasOwn(REMOVED_KINDS, groupVersion) && REMOVED_KINDS[groupVersion]!.split(' ').includes(kind);
}
