// The loop of a controller of the cluster: it follows informers, which add keys of objects to its queue, and brings one
// object after the other to its desired state. Only what is specific to a controller is left to it.

import { limits } from '../base/limits.ts';
import type { Controller } from '../controllers/controller.ts';
import { WorkQueue } from '../controllers/work-queue.ts';
import type { ClusterContext } from './context.ts';

/** Where followers of informers put the keys of objects that need a look. */
export interface Keys {
  add(key: string): void;
  /** Adds the key at that time, unless it is added before. */
  addAfter(key: string, delayMs: number): void;
}

interface ReconcilerOptions {
  /** As named by kube-controller-manager: `deployment-controller`. */
  readonly name: string;
  /** Objects that are worked on at the same time, so that their writes share commits. */
  readonly concurrency?: number;
  /**
   * Opens the informers and follows them.
   *
   * @returns brings the object of a key to its desired state; resolves to the number of milliseconds after which to look
   *   at it again, if any. If it rejects, the key is tried again after a delay.
   */
  readonly begin: (keys: Keys) => Promise<(key: string) => Promise<number | undefined>>;
}

export function reconciler(
  context: ClusterContext,
  { name, concurrency = limits.controllerWorkers, begin }: ReconcilerOptions,
): Controller {
  let reconcile: (key: string) => Promise<number | undefined> = async () => undefined;
  const queue = new WorkQueue<string>({ name, context, concurrency, work: (key) => reconcile(key) });
  return {
    name,
    async start() {
      reconcile = await context.activity.during(begin(queue));
      queue.start();
    },
    stop: () => queue.stop(),
  };
}

/** The key of an object: `namespace/name`, or the name alone. */
export function keyOf({
  metadata,
}: {
  readonly metadata: { readonly namespace?: string; readonly name?: string };
}): string {
  const { namespace = '', name = '' } = metadata;
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** The namespace and name in a key; the namespace is '' for cluster-scoped objects. */
export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, Math.max(0, slash)), name: key.slice(slash + 1) };
}
