// The lives of pods by the node that they are on, so that what a node has granted is found without a look at every pod.

import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { Informer } from '../informer.ts';
import { splitKey } from '../reconciler.ts';
import type { AdmittedPods } from './pod-admission.ts';
import { grantedRequest } from './pod-resize.ts';
import type { PodRun } from './pod-run.ts';

interface Life {
  readonly run: PodRun;
  readonly nodeName: string;
}

export class LivesByNode {
  readonly #pods: Informer<Pod>;
  /** By node, then by the key of the pod. */
  readonly #runs = new Map<string, Map<string, PodRun>>();

  constructor(pods: Informer<Pod>) {
    this.#pods = pods;
  }

  /** @param key of the pod */
  add(key: string, { run, nodeName }: Life): void {
    let runs = this.#runs.get(nodeName);
    if (runs === undefined) this.#runs.set(nodeName, (runs = new Map()));
    runs.set(key, run);
  }

  /** To be called as soon as the pod is gone. */
  remove(key: string, { nodeName }: Life): void {
    const runs = this.#runs.get(nodeName);
    runs?.delete(key);
    if (runs?.size === 0) this.#runs.delete(nodeName);
  }

  /** The pods that a node has admitted and that have not ended. @param but the key of one that does not count */
  admitted(nodeName: string, but: string): AdmittedPods {
    const runs: PodRun[] = [];
    for (const [key, run] of this.#runs.get(nodeName) ?? []) if (key !== but && !run.ended) runs.push(run);
    const requested = (resource: string) => runs.reduce((sum, run) => sum + grantedRequest(run, resource), 0n);
    return { count: runs.length, requested };
  }

  admittedPods(nodeName: string): Pod[] {
    return [...(this.#runs.get(nodeName) ?? [])].flatMap(([key, run]) => {
      const { namespace, name } = splitKey(key);
      return run.ended ? [] : (this.#pods.get(namespace, name) ?? []);
    });
  }
}
