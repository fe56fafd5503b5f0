// The versions of built-in resources that kube-apiserver can read from its store, in its order of preference: they decide
// which version it writes, and which it says that it can read.

import { ownMember } from '../api/own-member.ts';
import { lookup } from '../base/lookup.ts';
import type { ResourceDefinition } from './definition.ts';

interface GroupVersions {
  /** In kube-apiserver's order of preference. */
  readonly all: readonly string[];
  /** The same for resources whose versions have changed, by the minor release of Kubernetes 1 from which on they hold. */
  readonly of?: Readonly<Record<string, readonly string[] | ByRelease>>;
}

type ByRelease = Readonly<Record<number, readonly string[]>>;

const ALPHA_MUTATION: ByRelease = { 0: ['v1alpha1'], 34: ['v1beta1', 'v1alpha1'], 36: ['v1', 'v1beta1', 'v1alpha1'] };
const DEVICES: ByRelease = {
  0: ['v1alpha2'],
  31: ['v1alpha3'],
  32: ['v1beta1', 'v1alpha3'],
  33: ['v1beta1', 'v1beta2', 'v1alpha3'],
  34: ['v1beta2', 'v1', 'v1beta1'],
  35: ['v1', 'v1beta2', 'v1beta1'],
};
const ADDRESSES: ByRelease = {
  0: ['v1alpha1'],
  31: ['v1beta1', 'v1alpha1'],
  33: ['v1', 'v1beta1', 'v1alpha1'],
  34: ['v1', 'v1beta1'],
};

/** Versions that kube-apiserver can read from its store. */
const DECODABLE: Readonly<Record<string, GroupVersions>> = lookup<GroupVersions>({
  '': { all: ['v1'] },
  'admissionregistration.k8s.io': {
    all: ['v1', 'v1beta1', 'v1alpha1'],
    of: {
      mutatingadmissionpolicies: ALPHA_MUTATION,
      mutatingadmissionpolicybindings: ALPHA_MUTATION,
      mutatingwebhookconfigurations: ['v1', 'v1beta1'],
      validatingwebhookconfigurations: ['v1', 'v1beta1'],
    },
  },
  'apiextensions.k8s.io': { all: ['v1', 'v1beta1'] },
  'apiregistration.k8s.io': { all: ['v1', 'v1beta1'] },
  apps: {
    all: ['v1', 'v1beta2', 'v1beta1'],
    of: { daemonsets: ['v1', 'v1beta2'], replicasets: ['v1', 'v1beta2'] },
  },
  autoscaling: {
    all: ['v2', 'v1'],
    of: { horizontalpodautoscalers: { 0: ['v2', 'v1', 'v2beta1', 'v2beta2'], 36: ['v2', 'v1'] } },
  },
  batch: { all: ['v1', 'v1beta1'], of: { jobs: ['v1'] } },
  'certificates.k8s.io': {
    all: ['v1', 'v1beta1'],
    of: {
      clustertrustbundles: { 0: ['v1beta1', 'v1alpha1'], 37: ['v1', 'v1beta1', 'v1alpha1'] },
      podcertificaterequests: { 0: ['v1alpha1'], 35: ['v1beta1'], 37: ['v1', 'v1beta1'] },
    },
  },
  'coordination.k8s.io': {
    all: ['v1', 'v1beta1'],
    of: { leasecandidates: { 0: ['v1alpha1'], 32: ['v1alpha2'], 33: ['v1beta1', 'v1alpha2'] } },
  },
  'discovery.k8s.io': { all: ['v1', 'v1beta1'] },
  'events.k8s.io': { all: ['v1'] },
  'flowcontrol.apiserver.k8s.io': { all: ['v1', 'v1beta3', 'v1beta2', 'v1beta1'] },
  'internal.apiserver.k8s.io': { all: ['v1alpha1'] },
  'lifecycle.k8s.io': { all: ['v1alpha1'] },
  'networking.k8s.io': {
    all: ['v1', 'v1beta1'],
    of: { ipaddresses: ADDRESSES, networkpolicies: ['v1'], servicecidrs: ADDRESSES },
  },
  'node.k8s.io': { all: ['v1', 'v1beta1', 'v1alpha1'] },
  policy: { all: ['v1', 'v1beta1'] },
  'rbac.authorization.k8s.io': { all: ['v1', 'v1beta1', 'v1alpha1'] },
  'resource.k8s.io': {
    all: ['v1alpha3'],
    of: {
      deviceclasses: DEVICES,
      devicetaintrules: { 0: ['v1alpha3'], 36: ['v1beta2', 'v1alpha3'], 37: ['v1', 'v1beta2', 'v1alpha3'] },
      podschedulingcontexts: { 0: ['v1alpha2'], 31: ['v1alpha3'] },
      resourceclaimparameters: ['v1alpha2'],
      resourceclaims: DEVICES,
      resourceclaimtemplates: DEVICES,
      resourceclasses: ['v1alpha2'],
      resourceclassparameters: ['v1alpha2'],
      resourceslices: DEVICES,
    },
  },
  'scheduling.k8s.io': {
    all: ['v1beta1', 'v1alpha3'],
    of: {
      compositepodgroups: ['v1alpha3'],
      podgroups: { 36: ['v1alpha2'], 37: ['v1beta1', 'v1alpha3'] },
      priorityclasses: { 0: ['v1', 'v1beta1', 'v1alpha1'], 36: ['v1', 'v1beta1'] },
      workloads: { 35: ['v1alpha1'], 36: ['v1alpha2'], 37: ['v1beta1', 'v1alpha3'] },
    },
  },
  'storage.k8s.io': {
    all: ['v1', 'v1beta1', 'v1alpha1'],
    of: { csidrivers: ['v1', 'v1beta1'], csinodes: ['v1', 'v1beta1'], storageclasses: ['v1', 'v1beta1'] },
  },
  'storagemigration.k8s.io': {
    all: ['v1alpha1'],
    of: { storageversionmigrations: { 0: ['v1alpha1'], 35: ['v1beta1'], 37: ['v1', 'v1beta1'] } },
  },
});

/** The versions of a resource that its release can read from its store, the preferred one first. */
export function versionsOf({ group, resource, minor }: ResourceDefinition): readonly string[] {
  const versions = DECODABLE[group];
  const own = ownMember(versions?.of, resource);
  if (own === undefined) return versions?.all ?? [];
  return isList(own) ? own : (Object.entries(own).findLast(([since]) => Number(since) <= minor)?.[1] ?? []);
}

function isList(versions: readonly string[] | ByRelease): versions is readonly string[] {
  return Array.isArray(versions);
}
