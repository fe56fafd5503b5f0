// Subjects of Stages as the simulation knows them: pods and nodes belong to it as far as their nodes are up, and have
// addresses; everything else is driven wherever it comes from.

import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterContext } from '../context.ts';
import type { Informer } from '../informer.ts';
import type { NodeLives } from '../nodes/node-lives.ts';
import { hasEnded } from '../pod-facts.ts';
import { keyOf } from '../reconciler.ts';
import type { StageSubjects } from './staged-resource.ts';

export interface SubjectNeeds {
  readonly context: ClusterContext;
  readonly nodes: Informer<Node>;
  readonly nodeLives: () => NodeLives;
  /** When the simulation started. */
  readonly startedMs: number;
}

export function otherSubjects(needs: SubjectNeeds): StageSubjects {
  return {
    isManaged: () => true,
    surroundings: () => ({ ...timesOf(needs), nodeName: '', nodeAddress: addresses(needs), podAddress: () => '' }),
    forget: () => {},
  };
}

export function nodeSubjects(needs: SubjectNeeds): StageSubjects {
  return {
    ...otherSubjects(needs),
    isManaged: ({ metadata }) => needs.nodeLives().up(metadata.name ?? '') !== undefined,
    surroundings: ({ metadata: { name = '' } }) => ({
      ...timesOf(needs),
      ...{ nodeName: name, nodeAddress: addresses(needs), podAddress: () => '' },
    }),
  };
}

/** An address of a pod, and the node from whose range it is. */
interface Lease {
  readonly uid: string;
  readonly nodeName: string;
  readonly address: string;
}

export function podSubjects(needs: SubjectNeeds): StageSubjects {
  const leases = new Map<string, Lease>();
  const rangeOf = (nodeName: string) => {
    const up = needs.nodeLives().up(nodeName);
    return up?.life.addresses(up.node);
  };
  const release = (key: string) => {
    const lease = leases.get(key);
    if (lease === undefined) return;
    leases.delete(key);
    rangeOf(lease.nodeName)?.release(lease.address);
  };
  const keep = (key: string, lease: Lease) => {
    leases.set(key, lease);
    return lease.address;
  };
  /** Keeps the address that a pod has already, until it has ended. */
  const see = (pod: Pod) => {
    const key = keyOf(pod);
    const { uid = '' } = pod.metadata;
    const [nodeName, address] = [pod.spec?.nodeName ?? '', pod.status?.podIP];
    if (leases.has(key) && leases.get(key)?.uid !== uid) release(key);
    if (hasEnded(pod)) release(key);
    else if (address !== undefined && pod.spec?.hostNetwork !== true && leases.get(key)?.address !== address) {
      release(key);
      rangeOf(nodeName)?.take(address);
      keep(key, { uid, nodeName, address });
    }
  };
  return {
    isManaged(object) {
      const pod = object as Pod;
      if (needs.nodeLives().up(pod.spec?.nodeName ?? '') === undefined) return false;
      see(pod);
      return true;
    },
    surroundings(object) {
      const pod = object as Pod;
      const key = keyOf(pod);
      const nodeName = pod.spec?.nodeName ?? '';
      const podAddress = (name: string): string => {
        const known = pod.status?.podIP ?? leases.get(key)?.address;
        if (known !== undefined) return known;
        const address = rangeOf(name)?.assign();
        return address === undefined ? '' : keep(key, { uid: pod.metadata.uid ?? '', nodeName: name, address });
      };
      return { ...timesOf(needs), nodeName, nodeAddress: addresses(needs), podAddress };
    },
    forget: release,
  };
}

function timesOf({ context, startedMs }: SubjectNeeds): { readonly nowMs: number; readonly startedMs: number } {
  return { nowMs: context.clock.now(), startedMs };
}

/** Addresses of nodes: the one in the status, or the one that its kubelet would report. */
function addresses({ nodes, nodeLives }: SubjectNeeds): (nodeName: string) => string {
  return (nodeName) => {
    const reported = nodes.get('', nodeName)?.status?.addresses ?? [];
    const internal = reported.find(({ type }) => type === 'InternalIP')?.address;
    return internal ?? nodeLives().get(nodeName)?.address ?? '';
  };
}
