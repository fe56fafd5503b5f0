// The group versions that publish the kinds common to all groups (DeleteOptions, WatchEvent) as their own.

const GROUP_VERSIONS: readonly string[] = [
  'v1',
  'admission.k8s.io/v1',
  'admission.k8s.io/v1beta1',
  'admissionregistration.k8s.io/v1',
  'admissionregistration.k8s.io/v1alpha1',
  'admissionregistration.k8s.io/v1beta1',
  'apiextensions.k8s.io/v1',
  'apiextensions.k8s.io/v1beta1',
  'apiregistration.k8s.io/v1',
  'apiregistration.k8s.io/v1beta1',
  'apps/v1',
  'apps/v1beta1',
  'apps/v1beta2',
  'authentication.k8s.io/v1',
  'authentication.k8s.io/v1alpha1',
  'authentication.k8s.io/v1beta1',
  'authorization.k8s.io/v1',
  'authorization.k8s.io/v1beta1',
  'autoscaling/v1',
  'autoscaling/v2',
  'autoscaling/v2beta1',
  'autoscaling/v2beta2',
  'batch/v1',
  'batch/v1beta1',
  'certificates.k8s.io/v1',
  'certificates.k8s.io/v1alpha1',
  'certificates.k8s.io/v1beta1',
  'coordination.k8s.io/v1',
  'coordination.k8s.io/v1alpha2',
  'coordination.k8s.io/v1beta1',
  'discovery.k8s.io/v1',
  'discovery.k8s.io/v1beta1',
  'events.k8s.io/v1',
  'events.k8s.io/v1beta1',
  'extensions/v1beta1',
  'flowcontrol.apiserver.k8s.io/v1',
  'flowcontrol.apiserver.k8s.io/v1beta1',
  'flowcontrol.apiserver.k8s.io/v1beta2',
  'flowcontrol.apiserver.k8s.io/v1beta3',
  'imagepolicy.k8s.io/v1alpha1',
  'internal.apiserver.k8s.io/v1alpha1',
  'networking.k8s.io/v1',
  'networking.k8s.io/v1beta1',
  'node.k8s.io/v1',
  'node.k8s.io/v1alpha1',
  'node.k8s.io/v1beta1',
  'policy/v1',
  'policy/v1beta1',
  'rbac.authorization.k8s.io/v1',
  'rbac.authorization.k8s.io/v1alpha1',
  'rbac.authorization.k8s.io/v1beta1',
  'resource.k8s.io/v1',
  'resource.k8s.io/v1alpha3',
  'resource.k8s.io/v1beta1',
  'resource.k8s.io/v1beta2',
  'scheduling.k8s.io/v1',
  'scheduling.k8s.io/v1alpha1',
  'scheduling.k8s.io/v1beta1',
  'storage.k8s.io/v1',
  'storage.k8s.io/v1alpha1',
  'storage.k8s.io/v1beta1',
  'storagemigration.k8s.io/v1alpha1',
];

/** The group/version/kinds of a kind that every group version has. */
export function inEveryGroup(kind: string): string[] {
  return GROUP_VERSIONS.map((groupVersion) => `${groupVersion}/${kind}`);
}

/** Groups that Kubernetes' clients know nothing of: what is published of custom resources doesn't tell them. */
const OF_SERVERS: ReadonlySet<string> = new Set([
  'admission.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'imagepolicy.k8s.io',
]);

/** Whether documents about custom resources tell a kind, by its group, version and name. */
export function isToldOfCustom(kind: string): boolean {
  return !OF_SERVERS.has(kind.slice(0, kind.indexOf('/')));
}
