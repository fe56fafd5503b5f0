// Selection of Kubernetes' end-to-end tests: those that an API server, controllers and nodes without containers can pass
// or fail, or the conformance tests for a real node. The names are those of e2e.test; a rule covers whole groups of them.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NodeKind } from './control-plane.ts';
import { testProgram } from './programs.ts';

const groups: readonly RegExp[] = [
  /^\[sig-api-machinery\] /,
  /^\[sig-apps\] (ControllerRevision|CronJob|Daemon set|Deployment|DisruptionController|Job|ReplicaSet|ReplicationController|TTLAfterFinished)/,
  /^\[sig-apps\] StatefulSet .*(status|scale|patch|Replicas|validate|list)/,
  /^\[sig-auth\] (Certificates|SelfSubject|SubjectReview|ServiceAccount|ValidatingAdmissionPolicy|\[Feature:NodeAuthorizer\])/,
  /^\[sig-cluster-lifecycle\] \[Feature:BootstrapTokens\]/,
  /^\[sig-cli\] Kubectl (client|delete|rollout)/,
  /^\[sig-cli\] kubectl kuberc/,
  /^\[sig-instrumentation\] Events/,
  /^\[sig-network\] (EndpointSlice|Ingress|IngressClass|Netpol API|Service CIDRs|Service endpoints|ServiceCIDR|\[Feature:IPv6DualStack\] should create)/,
  /^\[sig-network\] Services should .*(lifecycle|collection|status|secure master|find a service|type|NodePort|externalTrafficPolicy|same port|endpoints of the service|clash|valid|DisableNode|prevent|allow creating)/,
  /^\[sig-node\] (Lease|Node Lifecycle|NoExecuteTaintManager|PodTemplates|Pods Extended|Pod garbage|\[DRA\] ResourceSlice|\[DRA\] control plane)/,
  /^\[sig-node\] Pods should (be submitted|be updated|run through|delete a collection|patch a pod|allow activeDeadline|get a host)/,
  /^\[sig-node\] RuntimeClass should/,
  /^\[sig-node\] (ConfigMap|Secrets) should .*(lifecycle|fail to create|updat|patch)/,
  /^\[sig-node\] Ephemeral Containers/,
  /^\[sig-scheduling\] (LimitRange|SchedulerPredicates|SchedulerPreemption|SchedulerPriorities)/,
  /^\[sig-storage\] (CSINodes|CSIStorageCapacity|CSIInlineVolumes|StorageClasses|VolumeAttachment|VolumeAttributesClass|PV Protection|PVC Protection|Retroactive)/,
  /^\[sig-storage\] PersistentVolumes (CSI Conformance|Default)/,
  /^\[sig-storage\] (ConfigMap|Secrets) .*(immutable|Immutable)/,
];

/** Never run: tests for gates that are off, those that disturb all others, and those that take many minutes. */
const left = /\[(Disruptive|Slow|Feature:OffByDefault|Feature:StorageVersionAPI|Feature:.*Migration)\]|\[Alpha\]/;

export interface Spec {
  readonly name: string;
  /** Whether it must run alone. */
  readonly alone: boolean;
}

/** Returns all selectable tests by name. */
export function listSpecs(nodes: NodeKind): Spec[] {
  const text = execFileSync(testProgram, ['--list-tests'], { encoding: 'utf8', maxBuffer: 1 << 26 });
  const names = [...text.matchAll(/^ +\S+\.go:\d+: (.*)$/gm)].map(([, name]) => name!.trim());
  const chosen = (name: string) =>
    nodes === 'real' ? name.includes('[Conformance]') : !left.test(name) && groups.some((group) => group.test(name));
  return [...new Set(names)]
    .filter(chosen)
    .sort()
    .map((name) => ({ name, alone: name.includes('[Serial]') }));
}

/** The tests that must keep passing on each kind of nodes, and those that kube-apiserver does not pass there either. */
const lists: Readonly<Record<NodeKind, { passing: string; undecided: string }>> = {
  hollow: { passing: 'passing.txt', undecided: 'undecided.txt' },
  living: { passing: 'passing-living.txt', undecided: 'undecided.txt' },
  real: { passing: 'passing-node.txt', undecided: 'undecided-node.txt' },
};

/** Returns the tests that must keep passing. */
export function readPassing(nodes: NodeKind): Set<string> {
  return new Set(lines(lists[nodes].passing));
}

/** Returns the tests that the real kube-apiserver does not pass in this setup either. */
export function readUndecided(nodes: NodeKind): Set<string> {
  return new Set(lines(lists[nodes].undecided).filter((line) => line.startsWith('[')));
}

function lines(name: string): string[] {
  return readFileSync(join(import.meta.dirname, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** Adds tests that must keep passing, without duplicates. */
export function writePassing(nodes: NodeKind, names: readonly string[]): void {
  writeFileSync(
    join(import.meta.dirname, lists[nodes].passing),
    [...new Set(names)]
      .sort()
      .map((name) => `${name}\n`)
      .join(''),
  );
}
