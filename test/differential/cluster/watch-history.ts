// The history of a namespace as its watches tell it, and the rules that must hold at every moment of it: no rollout has
// more pods than its surge allows or fewer than it may lack, no Job more than its parallelism, no node two pods of a
// DaemonSet, and StatefulSets begin and end their pods in the same order on both sides.

import { boundsOf } from './bounds.ts';
import { LISTS } from './settled-objects.ts';
import type { Side } from './sides.ts';
import { ownerOf, type WatchedPod, type Workload } from './watched-objects.ts';

interface WatchEvent {
  readonly type: string;
  readonly object: WatchedPod | Workload;
}

const KINDS: ReadonlySet<string> = new Set(['Pod', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job']);

export class WatchHistory implements Disposable {
  readonly #events: WatchEvent[] = [];
  /** The latest resource version each time the side came to rest. */
  readonly #rests: number[] = [];
  readonly #end = new AbortController();
  readonly #namespace: string;
  #changedMs = performance.now();

  constructor({ server }: Side, namespace: string) {
    this.#namespace = namespace;
    for (const path of LISTS) {
      const url = `https://localhost/${path.replace('NS', `namespaces/${namespace}`)}?watch=1`;
      const headers = { authorization: `Bearer ${server.token}` };
      const answer = server.fetch(new Request(url, { headers, signal: this.#end.signal }));
      // Ends with the signal.
      answer.then((response) => this.#read(response)).catch(() => {});
    }
  }

  async #read({ body }: Response): Promise<void> {
    let rest = '';
    for await (const part of body!.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#take(JSON.parse(line) as WatchEvent);
    }
  }

  #take(event: WatchEvent): void {
    const { kind, metadata } = event.object as Workload;
    // Heartbeats of nodes, repeated events, and what others do with their volumes are no news.
    const isOwn = metadata.namespace === this.#namespace || JSON.stringify(event.object).includes(this.#namespace);
    if (isOwn && (kind !== 'Event' || event.type === 'ADDED')) this.#changedMs = performance.now();
    if (KINDS.has(kind)) this.#events.push(event);
  }

  /** When something happened last, by `performance.now()`. */
  get changedMs(): number {
    return this.#changedMs;
  }

  cameToRest(): void {
    this.#rests.push(Math.max(0, ...this.#events.map(({ object }) => revisionOf(object))));
  }

  /** What happened, in the order in which it was written, and whether the side was at rest before. */
  #inOrder(): { readonly event: WatchEvent; readonly isAfterRest: boolean }[] {
    const events = this.#events.toSorted((one, other) => revisionOf(one.object) - revisionOf(other.object));
    const rests = [...this.#rests];
    return events.map((event) => {
      let isAfterRest = false;
      for (; rests.length > 0 && rests[0]! < revisionOf(event.object); rests.shift()) isAfterRest = true;
      return { event, isAfterRest };
    });
  }

  /** The order in which pods of a StatefulSet that begins them one by one began (`+`) and were ended (`-`). */
  order(): string[] {
    const ending = new Set<string>();
    const order: string[] = [];
    let isOrdered = false;
    for (const { event } of this.#inOrder()) {
      const { type, object } = event;
      if (isPod(object)) {
        const { name, uid, deletionTimestamp } = object.metadata;
        if (!isOrdered || ownerOf(object)?.kind !== 'StatefulSet') continue;
        if (type === 'ADDED') order.push(`+ ${name}`);
        if (deletionTimestamp === undefined || ending.has(uid)) continue;
        ending.add(uid);
        order.push(`- ${name}`);
      } else if (object.kind === 'StatefulSet') {
        const isGone = type === 'DELETED' || object.metadata.deletionTimestamp !== undefined;
        isOrdered = !isGone && object.spec.podManagementPolicy !== 'Parallel';
      }
    }
    return order;
  }

  /** Moments at which a workload had more or fewer pods than it may have; none if all rules held. */
  violations(): string[] {
    const pods = new Map<string, WatchedPod>();
    const workloads = new Map<string, ReturnType<typeof boundsOf>>();
    const found: string[] = [];
    for (const { event, isAfterRest } of this.#inOrder()) {
      const { type, object } = event;
      if (isAfterRest) for (const bounds of workloads.values()) bounds.rested([...pods.values()]);
      if (isPod(object)) {
        if (type === 'DELETED') pods.delete(object.metadata.uid);
        else pods.set(object.metadata.uid, object);
      } else if (type === 'DELETED' || object.metadata.deletionTimestamp !== undefined) {
        workloads.delete(object.metadata.uid);
      } else {
        const known = workloads.get(object.metadata.uid);
        if (known === undefined) workloads.set(object.metadata.uid, boundsOf(object));
        else known.changed(object);
      }
      for (const bounds of workloads.values()) found.push(...bounds.violations([...pods.values()]));
    }
    return [...new Set(found)];
  }

  [Symbol.dispose](): void {
    this.#end.abort();
  }
}

function isPod(object: WatchedPod | Workload): object is WatchedPod {
  return (object as { kind?: string }).kind === 'Pod';
}

function revisionOf({ metadata }: WatchedPod | Workload): number {
  return Number(metadata.resourceVersion);
}
