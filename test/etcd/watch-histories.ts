// Comparison of the events that watchers received with etcd's history: nothing lost, duplicated or reordered.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { GrpcChannel } from '../../src/store/etcd/grpc-channel.ts';
import { decodeWatch, encodeWatchCreation, encodeWatchProgress, prefixEnd } from '../../src/store/etcd/messages.ts';
import { until } from '../until.ts';
import type { FaultyServer } from './faulty-server.ts';
import { realClock } from './real-clock.ts';

/** An event as `ADDED name@revision`. */
export interface SeenEvent {
  readonly text: string;
  readonly revision: number;
}

/** A watch that is resumed, on any server, from its last version, without a list in between. */
interface Stretch {
  readonly after: number;
  readonly events: SeenEvent[];
}

interface WireEvent {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name: string; readonly resourceVersion: string } };
}

export class WatchHistory {
  readonly stretches: Stretch[] = [];
  readonly #path: string;
  readonly #pick: () => FaultyServer;
  #stopped = false;

  /** @param path of a collection. @param pick selects the server for the next part */
  constructor(path: string, pick: () => FaultyServer) {
    this.#path = path;
    this.#pick = pick;
  }

  get revision(): number {
    const last = this.stretches.at(-1);
    return last?.events.at(-1)?.revision ?? last?.after ?? 0;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Watches until `stop`. */
  async run(): Promise<void> {
    let expired = true;
    while (!this.#stopped) {
      if (expired) expired = !(await this.#begin());
      else expired = await this.#goOn();
      await sleep(20);
    }
  }

  async #begin(): Promise<boolean> {
    try {
      const { status, body } = await this.#pick().ask('GET', this.#path);
      if (status !== 200) return false;
      this.stretches.push({ after: Number(body.metadata.resourceVersion), events: [] });
      return true;
    } catch {
      return false;
    }
  }

  /** @returns whether the next part has to start with a list */
  async #goOn(): Promise<boolean> {
    const stretch = this.stretches.at(-1)!;
    let expired = false;
    await this.#pick().lines(`${this.#path}?watch=true&resourceVersion=${this.revision}`, (line) => {
      const { type, object } = JSON.parse(line) as WireEvent;
      if (type === 'ERROR') {
        expired = true;
        return;
      }
      const { name, resourceVersion } = object.metadata;
      stretch.events.push({ text: `${type} ${name}@${resourceVersion}`, revision: Number(resourceVersion) });
    });
    return expired;
  }
}

/**
 * Returns the history below a prefix of etcd's keys up to a revision, oldest first. Nothing may have been compacted.
 */
export async function happenedIn(url: string, prefix: string, upTo: number): Promise<SeenEvent[]> {
  const rpc = new GrpcChannel({ servers: [url], clock: realClock });
  const events: SeenEvent[] = [];
  const there = new Set<string>();
  let reached = 0;
  const stream = rpc.stream('Watch/Watch', {
    onMessage: (message) => {
      const response = decodeWatch(message);
      for (const { key, modRevision, value } of response.events) {
        const name = key.slice(prefix.length);
        const type = value === undefined ? 'DELETED' : there.has(name) ? 'MODIFIED' : 'ADDED';
        if (value === undefined) there.delete(name);
        else there.add(name);
        events.push({ text: `${type} ${name}@${modRevision}`, revision: modRevision });
        reached = modRevision;
      }
      if (response.events.length === 0 && !response.created) reached = Math.max(reached, response.revision);
    },
    onEnd: () => {},
  });
  stream.send(encodeWatchCreation({ key: prefix, end: prefixEnd(prefix), startRevision: 1 }));
  try {
    await until('all that happened in etcd', () => {
      if (reached < upTo) stream.send(encodeWatchProgress());
      return reached >= upTo;
    });
  } finally {
    stream.close();
    rpc.close();
  }
  return events.filter(({ revision }) => revision <= upTo);
}

/** @throws AssertionError if a part differs from the history of its interval */
export function assertComplete(histories: readonly WatchHistory[], happened: readonly SeenEvent[], what: string): void {
  for (const [index, { stretches }] of histories.entries()) {
    for (const { after, events } of stretches) {
      const upTo = events.at(-1)?.revision ?? after;
      const expected = happened.filter(({ revision }) => revision > after && revision <= upTo);
      const seen = events.map(({ text }) => text);
      const wanted = expected.map(({ text }) => text);
      if (seen.join() === wanted.join()) continue;
      const at = seen.findIndex((text, place) => text !== wanted[place]);
      assert.deepEqual(
        seen.slice(Math.max(0, at - 3), at + 5),
        wanted.slice(Math.max(0, at - 3), at + 5),
        `watcher ${index} from ${after}, event ${at} (${what})`,
      );
    }
  }
}
