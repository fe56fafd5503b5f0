// Draining of a node: it is cordoned, then its pods are evicted, a few at a time; where a budget refuses an eviction for
// now, it is asked for again later.

import { signal } from '@preact/signals';
import { ClusterError } from '../cluster/cluster-api.ts';
import type { WholeObject } from '../cluster/live-table.ts';
import { cordoned } from './changes.ts';
import { change, evict } from './send.ts';

/** As kubectl waits. */
const AGAIN_MS = 5000;
const AT_ONCE = 8;

/** How far the eviction of a pod is. */
interface Eviction {
  readonly phase: 'asked' | 'waiting' | 'evicted' | 'failed';
  readonly message: string;
}

export class Drain {
  /** By the uid of the pod. */
  readonly evictions = signal<ReadonlyMap<string, Eviction>>(new Map());
  readonly isRunning = signal(false);
  readonly #aborted = new AbortController();

  /** Cordons the node at a path, and evicts the pods. @throws ClusterError if the node cannot be cordoned */
  async run(nodePath: string, pods: readonly WholeObject[]): Promise<void> {
    this.isRunning.value = true;
    try {
      await change(nodePath, cordoned(true));
      const waiting = [...pods];
      const work = async (): Promise<void> => {
        for (let pod = waiting.shift(); pod !== undefined; pod = waiting.shift()) await this.#evict(pod);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    } finally {
      this.isRunning.value = false;
    }
  }

  /** No more evictions are asked for; those that were go on. */
  stop(): void {
    this.#aborted.abort();
  }

  async #evict({ metadata: { uid, name, namespace = '' } }: WholeObject): Promise<void> {
    const { signal: aborted } = this.#aborted;
    while (!aborted.aborted) {
      this.#note(uid, { phase: 'asked', message: '' });
      try {
        await evict(namespace, name);
        return this.#note(uid, { phase: 'evicted', message: '' });
      } catch (error) {
        const code = error instanceof ClusterError ? error.code : 0;
        const { message } = error as Error;
        if (code === 404) return this.#note(uid, { phase: 'evicted', message: '' });
        if (code !== 429) return this.#note(uid, { phase: 'failed', message });
        this.#note(uid, { phase: 'waiting', message });
      }
      await pause(AGAIN_MS, aborted);
    }
  }

  #note(uid: string, eviction: Eviction): void {
    this.evictions.value = new Map([...this.evictions.value, [uid, eviction]]);
  }
}

/** Resolves after a while, or when it is aborted. */
function pause(milliseconds: number, aborted: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    aborted.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
