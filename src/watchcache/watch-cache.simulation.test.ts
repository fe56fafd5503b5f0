// Random writes, watchers, backpressure, compactions and restarts from one seed, beside a model that keeps every state
// there ever was. Each watcher must see exactly what the model derives for it, and each snapshot equal the model's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { FIRST_REVISION } from '../store/store.ts';
import {
  type Attributes,
  ExpiredError,
  type Selection,
  type WatchCache,
  type Watcher,
  type WatchSink,
} from './types.ts';
import { createWatchCache } from './watch-cache.ts';

const PREFIX = '/registry/pods/';
const HISTORY_EVENTS = 12;
const HISTORY_MS = 1000;

interface Fact {
  readonly key: string;
  readonly revision: number;
  readonly app: string;
}

type State = readonly Fact[];

function attributes(key: string, bytes: Buffer): Attributes {
  const [namespace, name] = key.slice(PREFIX.length).split('/') as [string, string];
  return { name, namespace, labels: { app: bytes.toString() }, fields: undefined };
}

const selected = (selection: Selection, fact: Fact | undefined): fact is Fact => {
  if (fact === undefined) return false;
  const object = attributes(fact.key, Buffer.from(fact.app));
  if (selection.namespace !== undefined && selection.namespace !== object.namespace) return false;
  if (selection.name !== undefined && selection.name !== object.name) return false;
  return selection.matches?.(object) ?? true;
};

const show = (what: string, fact: Fact, revision: number) =>
  `${what} ${fact.key} ${fact.app} ${fact.revision} @${revision}`;

/** Every state there ever was, by revision; and what the cache must still know. */
class Model {
  readonly states: State[] = [[]];
  /** Writes of this resource since the cache started, with the time of each. */
  #kept: { revision: number; atMs: number }[] = [];
  #oldest = FIRST_REVISION;

  get revision(): number {
    return FIRST_REVISION + this.states.length - 1;
  }

  at(revision: number): State {
    return this.states[revision - FIRST_REVISION]!;
  }

  /** Adds the state after a write; `fact` undefined for a deletion, `key` undefined for a write to something else. */
  write(key: string | undefined, app: string | undefined, atMs: number): void {
    const state = this.states.at(-1)!.filter((fact) => fact.key !== key);
    const revision = this.revision + 1;
    if (key !== undefined && app !== undefined) state.push({ key, revision, app });
    state.sort((one, other) => Buffer.compare(Buffer.from(one.key), Buffer.from(other.key)));
    this.states.push(state);
    if (key !== undefined) this.#kept.push({ revision, atMs });
  }

  /** The revision after which the cache must have all events. */
  oldest(nowMs: number, compacted: number): number {
    const isGone = ({ revision, atMs }: { revision: number; atMs: number }, index: number) =>
      index < this.#kept.length - HISTORY_EVENTS || nowMs - atMs >= HISTORY_MS || revision <= compacted;
    const gone = this.#kept.filter(isGone);
    this.#kept = this.#kept.filter((kept) => !gone.includes(kept));
    this.#oldest = gone.at(-1)?.revision ?? this.#oldest;
    return this.#oldest;
  }

  /** The cache starts anew over a store that has the writes after `compacted`. */
  restart(compacted: number, nowMs: number): void {
    this.#oldest = compacted;
    this.#kept = [];
    for (let revision = compacted + 1; revision <= this.revision; revision++) {
      if (this.#change(revision) !== undefined) this.#kept.push({ revision, atMs: nowMs });
    }
  }

  /** What a watcher is to be given from `from` up to the newest revision. */
  expected(selection: Selection, from: number, initial: boolean): string[] {
    const lines: string[] = [];
    if (initial) {
      for (const fact of this.at(from)) if (selected(selection, fact)) lines.push(show('initial', fact, 0));
      lines.push(`initialEnd @${from}`);
    }
    for (let revision = from + 1; revision <= this.revision; revision++) {
      const change = this.#change(revision);
      const was = selected(selection, change?.before);
      const is = selected(selection, change?.after);
      if (is) lines.push(show(was ? 'MODIFIED' : 'ADDED', change!.after!, revision));
      else if (was) lines.push(show('DELETED', change!.before!, revision));
    }
    return lines;
  }

  #change(revision: number): { before: Fact | undefined; after: Fact | undefined } | undefined {
    const [older, newer] = [this.at(revision - 1), this.at(revision)];
    const after = newer.find((fact) => fact.revision === revision);
    const before = older.find((fact) => fact.key === after?.key || !newer.some(({ key }) => key === fact.key));
    return after === undefined && before === undefined ? undefined : { before, after };
  }
}

/** A watch with a sink that is full at random, and at random resumes or closes its watcher from inside a call. */
class Client implements WatchSink {
  readonly lines: string[] = [];
  readonly selection: Selection;
  readonly from: number;
  readonly isInitial: boolean;
  readonly random: SeededRandom;
  watcher: Watcher | undefined;
  ended: 'expired' | 'closed' | 'left' | undefined;
  /** In percent, how often an answer is that there is no more room. */
  fullness: number;

  constructor(random: SeededRandom, selection: Selection, from: number | 'state', revision: number) {
    this.random = random;
    this.selection = selection;
    this.isInitial = from === 'state';
    this.from = from === 'state' ? revision : from;
    this.fullness = random.pick([0, 10, 60]);
  }

  initial: WatchSink['initial'] = (object) =>
    this.#take(show('initial', { key: object.key, revision: object.revision, app: String(object.bytes) }, 0));
  initialEnd: WatchSink['initialEnd'] = (revision) => this.#take(`initialEnd @${revision}`);
  event: WatchSink['event'] = (type, object, { revision }) =>
    this.#take(show(type, { key: object.key, revision: object.revision, app: String(object.bytes) }, revision));

  end(reason: 'expired' | 'closed'): void {
    assert.equal(this.ended, undefined);
    this.ended = reason;
  }

  #take(line: string): boolean {
    assert.equal(this.ended, undefined, 'nothing comes after the end');
    this.lines.push(line);
    if (this.fullness > 0 && this.random.chance(3)) this.watcher?.resume();
    if (this.fullness > 0 && this.random.chance(1) && this.watcher !== undefined) {
      this.watcher.close();
      this.ended = 'left';
    }
    return !this.random.chance(this.fullness);
  }
}

class Simulation {
  readonly random: SeededRandom;
  readonly clock = new ManualClock();
  readonly store = new MemoryStore({ clock: this.clock, historyMs: 5 * HISTORY_MS });
  readonly model = new Model();
  readonly clients: Client[] = [];
  expirations = 0;
  cache!: WatchCache;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
  }

  async start(): Promise<void> {
    const { store, clock } = this;
    const limits = { watchHistoryEvents: HISTORY_EVENTS, historyMs: HISTORY_MS };
    this.cache = await createWatchCache({ store, clock, prefix: PREFIX, namespaced: true, attributes, limits });
    this.model.restart(store.compactedRevision(), clock.now());
  }

  async step(): Promise<void> {
    const { random } = this;
    const choice = random.below(1000);
    if (choice < 450) await this.#put();
    else if (choice < 550) await this.#delete();
    else if (choice < 600) await this.#writeElsewhere();
    else if (choice < 700) this.#open();
    else if (choice < 850) random.pick(this.clients)?.watcher?.resume();
    else if (choice < 900) this.#compareSnapshot();
    else if (choice < 990) this.clock.advance(random.below(HISTORY_MS / 8));
    else if (choice < 996) await this.store.compact(this.model.revision - random.below(HISTORY_EVENTS));
    else await this.#restart();
    assert.equal(this.cache.revision, this.model.revision);
  }

  /** Lets everybody catch up, then compares what each was given with the model. */
  finish(): void {
    for (const client of this.clients) {
      client.fullness = 0;
      client.watcher?.resume();
      const expected = this.model.expected(client.selection, client.from, client.isInitial);
      if (client.ended === undefined) {
        assert.deepEqual(client.lines, expected);
        assert.equal(client.watcher?.revision, Math.max(client.from, this.model.revision));
      } else {
        assert.deepEqual(client.lines, expected.slice(0, client.lines.length));
        if (client.ended === 'expired') this.expirations += 1;
      }
    }
    assert.equal(this.cache.statistics().lagging, 0);
    assert.equal(this.cache.statistics().watchers, this.clients.filter(({ ended }) => ended === undefined).length);
  }

  async #put(): Promise<void> {
    const key = this.#key();
    const app = this.random.pick(['one', 'two']);
    await this.store.put(key, Buffer.from(app), 'any');
    this.model.write(key, app, this.clock.now());
  }

  async #delete(): Promise<void> {
    const key = this.#key();
    const { written } = await this.store.delete(key, 'any');
    if (written) this.model.write(key, undefined, this.clock.now());
  }

  async #writeElsewhere(): Promise<void> {
    await this.store.put('/registry/nodes/n', Buffer.from(''), 'any');
    this.model.write(undefined, undefined, this.clock.now());
  }

  #open(): void {
    const from = this.random.chance(40) ? 'state' : this.model.revision + 3 - this.random.below(3 * HISTORY_EVENTS);
    const client = new Client(this.random, this.#selection(), from, this.model.revision);
    const watch = () => this.cache.watch({ selection: client.selection, from, sink: client });
    if (from !== 'state' && from < this.model.oldest(this.clock.now(), this.store.compactedRevision())) {
      assert.throws(watch, ExpiredError);
      return;
    }
    // The watcher's position can be in the future, but the model's can't be compared before it is reached.
    client.watcher = watch();
    this.clients.push(client);
  }

  #compareSnapshot(): void {
    const revision = this.model.revision - this.random.below(2 * HISTORY_EVENTS);
    if (revision < FIRST_REVISION) return;
    const snapshot = this.cache.snapshotAt(revision);
    const oldest = this.model.oldest(this.clock.now(), this.store.compactedRevision());
    if (revision < Math.max(oldest, this.store.expiredRevision())) {
      assert.equal(snapshot, undefined);
      return;
    }
    const selection = this.#selection();
    const after = this.random.chance(50) ? this.#key() : undefined;
    const expected = this.model.at(revision).filter((fact) => selected(selection, fact));
    const inScope = this.model.at(revision).filter((fact) => selected({ ...selection, matches: undefined }, fact));
    assert.equal(snapshot?.revision, revision);
    for (const { key } of inScope) assert.equal(this.cache.get(key), this.cache.snapshot().get(key));
    assert.equal(snapshot?.count(selection), inScope.length);
    assert.deepEqual(
      [...snapshot!.objects(selection, after)].map(({ key, revision, bytes }) => ({ key, revision, app: `${bytes}` })),
      expected.filter(({ key }) => after === undefined || Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0),
    );
  }

  async #restart(): Promise<void> {
    this.cache.close();
    for (const client of this.clients) assert.notEqual(client.ended, undefined);
    await this.start();
  }

  #key(): string {
    const name = this.random.pick(['x', 'y', 'z', '\u{10000}', '\uffff']);
    return `${PREFIX}${this.random.pick(['a', 'a-b', 'b'])}/${name}`;
  }

  #selection(): Selection {
    const app = this.random.pick(['one', 'two']);
    return {
      namespace: this.random.pick([undefined, undefined, 'a', 'b', 'none']),
      name: this.random.pick([undefined, undefined, undefined, 'x', '\uffff']),
      matches: this.random.chance(50) ? undefined : ({ labels }) => labels?.['app'] === app,
    };
  }
}

test('every watch and every snapshot of a watch cache agrees with a model', async () => {
  let clients = 0;
  let expirations = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const simulation = new Simulation(seed);
    try {
      await simulation.start();
      for (let step = 0; step < 1000; step++) await simulation.step();
      simulation.finish();
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
    clients += simulation.clients.length;
    expirations += simulation.expirations;
  }
  assert.ok(clients > 500 && expirations > 20, `${clients} watchers, ${expirations} expired`);
});
