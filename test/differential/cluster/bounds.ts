// How many pods a workload may have at any moment, and how many of them it may lack while it replaces them.

import { ownerOf, type WatchedPod, type Workload } from './watched-objects.ts';

interface Bounds {
  /** The workload was changed by a client or a controller. */
  changed(workload: Workload): void;
  /** Nothing is in progress: what it was before no longer counts. */
  rested(pods: readonly WatchedPod[]): void;
  violations(pods: readonly WatchedPod[]): string[];
}

export function boundsOf(workload: Workload): Bounds {
  if (workload.kind === 'Deployment') return new DeploymentBounds(workload);
  if (workload.kind === 'DaemonSet') return new DaemonBounds(workload);
  return new JobBounds(workload);
}

/** What a workload was since it last rested. */
abstract class WindowBounds implements Bounds {
  protected recent: Workload[];

  constructor(workload: Workload) {
    this.recent = [workload];
  }

  protected get latest(): Workload {
    return this.recent.at(-1)!;
  }

  changed(workload: Workload): void {
    this.recent.push(workload);
  }

  rested(_pods: readonly WatchedPod[]): void {
    this.recent = [this.latest];
  }

  abstract violations(pods: readonly WatchedPod[]): string[];

  protected own(pods: readonly WatchedPod[]): WatchedPod[] {
    const wanted = Object.entries(this.latest.spec.selector?.matchLabels ?? {});
    return pods.filter(({ metadata }) => wanted.every(([name, value]) => metadata.labels?.[name] === value));
  }
}

class DeploymentBounds extends WindowBounds {
  /** Whether it had all pods that it needs when it last rested. */
  #wasComplete = false;

  override rested(pods: readonly WatchedPod[]): void {
    super.rested(pods);
    this.#wasComplete = this.own(pods).filter(isReady).length >= this.#least();
  }

  violations(all: readonly WatchedPod[]): string[] {
    const pods = this.own(all).filter(isLive);
    const { strategy } = this.latest.spec;
    const name = 'the Deployment';
    if (strategy?.type === 'Recreate') {
      const hashes = new Set(pods.map(({ metadata }) => metadata.labels?.['pod-template-hash']));
      return hashes.size > 1 ? [`${name} has pods of two templates at once`] : [];
    }
    const most = Math.max(
      ...this.recent.map(({ spec }) => {
        const { replicas = 1 } = spec;
        return replicas + amount(spec.strategy?.rollingUpdate?.maxSurge ?? '25%', replicas, Math.ceil);
      }),
    );
    const found = pods.length > most ? [`${name} has ${pods.length} pods, and may have ${most}`] : [];
    const ready = pods.filter(isReady).length;
    if (this.#wasComplete && ready < this.#least())
      found.push(`${name} has ${ready} ready pods, and needs ${this.#least()}`);
    return found;
  }

  /** The least that it needs, by what it was since it last rested. */
  #least(): number {
    return Math.min(
      ...this.recent.map(({ spec }) => {
        const { replicas = 1, strategy } = spec;
        if (strategy?.type === 'Recreate') return 0;
        const { maxSurge = '25%', maxUnavailable = '25%' } = strategy?.rollingUpdate ?? {};
        const lacking = amount(maxUnavailable, replicas, Math.floor);
        return replicas - (lacking === 0 && amount(maxSurge, replicas, Math.ceil) === 0 ? 1 : lacking);
      }),
    );
  }
}

class DaemonBounds extends WindowBounds {
  violations(all: readonly WatchedPod[]): string[] {
    const { maxSurge = 0 } = this.latest.spec.updateStrategy?.rollingUpdate ?? {};
    const most = maxSurge === 0 ? 1 : 2;
    const byNode = Map.groupBy(this.own(all).filter(isLive), ({ spec }) => spec.nodeName ?? '');
    return [...byNode].flatMap(([node, pods]) =>
      node !== '' && pods.length > most ? [`a node has ${pods.length} pods of a DaemonSet, and may have ${most}`] : [],
    );
  }
}

class JobBounds extends WindowBounds {
  violations(all: readonly WatchedPod[]): string[] {
    if (this.latest.kind !== 'Job') return [];
    const { name } = this.latest.metadata;
    const pods = all.filter((pod) => ownerOf(pod)?.kind === 'Job' && ownerOf(pod)?.name === name).filter(isLive);
    const most = Math.max(...this.recent.map(({ spec }) => spec.parallelism ?? 1));
    const found = pods.length > most ? [`a Job has ${pods.length} active pods, and may have ${most}`] : [];
    const indexes = pods.flatMap(({ metadata }) => metadata.labels?.['batch.kubernetes.io/job-completion-index'] ?? []);
    if (new Set(indexes).size < indexes.length) found.push('a Job has two active pods of one index');
    return found;
  }
}

function isLive({ metadata, status }: WatchedPod): boolean {
  const { phase = '' } = status ?? {};
  return metadata.deletionTimestamp === undefined && phase !== 'Succeeded' && phase !== 'Failed';
}

function isReady(pod: WatchedPod): boolean {
  const { conditions = [] } = pod.status ?? {};
  return isLive(pod) && conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

function amount(value: number | string, of: number, round: (value: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseInt(value, 10) * of) / 100);
}
