// Three servers on an etcd of three members while both are killed and stopped at random: what was acknowledged is
// there, no counter loses a step, no read shows less than what was acknowledged before it, and watches see exactly what
// happened, in order.
//
//   node test/etcd/faults.ts [seconds] [seed]     a longer run than the test's

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../../src/base/seeded-random.ts';
import { until } from '../until.ts';
import { type EtcdProcess, findEtcd, freePort, NO_ETCD, startEtcdCluster } from './etcd-process.ts';
import { FaultyServer } from './faulty-server.ts';
import { assertComplete, happenedIn, WatchHistory } from './watch-histories.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const IN_ETCD = '/registry/configmaps/default/';
const SERVERS = 3;
const MEMBERS = 3;
const WRITERS = 5;
const READERS = 3;
const WATCHERS = 4;

/** The result of a run. */
export interface FaultsReport {
  readonly acknowledged: number;
  readonly reads: number;
  readonly events: number;
  readonly faults: number;
}

interface Run {
  readonly servers: readonly FaultyServer[];
  readonly members: readonly EtcdProcess[];
  readonly random: SeededRandom;
  readonly endsAt: number;
  /** The seed, for messages. */
  readonly what: string;
}

/** Runs for a while, then checks the observations and the final state. @throws AssertionError that names the seed */
export async function runFaults({ seconds, seed }: { seconds: number; seed: number }): Promise<FaultsReport> {
  const program = findEtcd();
  if (program === undefined) throw new Error(NO_ETCD);
  const folder = mkdtempSync(join(tmpdir(), 'keelson-faults-'));
  const members = await startEtcdCluster(program, MEMBERS);
  const urls = members.map(({ url }) => url);
  const servers: FaultyServer[] = [];
  for (let index = 0; index < SERVERS; index++) {
    const endpoints = [...urls.slice(index), ...urls.slice(0, index)].join();
    // Compaction is off, so that etcd's full history is available at the end.
    const flags = [`--etcd-servers=${endpoints}`, '--etcd-compaction-interval=0'];
    servers.push(new FaultyServer(join(folder, String(index)), await freePort(), flags));
  }
  for (const server of servers) server.start();
  try {
    await Promise.all(servers.map((server) => server.ready()));
    const random = new SeededRandom(seed);
    return await underFaults({ servers, members, random, endsAt: Date.now() + seconds * 1_000, what: `seed ${seed}` });
  } finally {
    for (const server of servers) await server.kill();
    for (const member of members) await member.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function underFaults(run: Run): Promise<FaultsReport> {
  const { servers, members, random, what } = run;
  const client = new Clients(run);
  await servers[0]!.ask('POST', CONFIG_MAPS, { metadata: { name: 'count' }, data: { n: '0' } });
  const watchers = Array.from({ length: WATCHERS }, () => new WatchHistory(CONFIG_MAPS, () => random.pick(servers)));
  const watching = watchers.map((watcher) => watcher.run());
  let faults = 0;
  const trouble = async (): Promise<void> => {
    while (Date.now() < run.endsAt - 2_000) {
      await sleep(300 + random.below(700));
      await fault(run);
      faults += 1;
      for (const server of servers) server.assertAlive();
    }
  };
  const busy = [
    ...Array.from({ length: WRITERS }, (_, index) => client.write(index)),
    ...Array.from({ length: READERS }, () => client.read()),
  ];
  await Promise.all([trouble(), ...busy]);
  await Promise.all(servers.map((server) => server.ready()));
  const last = await until('a last write', async () => {
    const { status, body } = await random
      .pick(servers)
      .ask('POST', CONFIG_MAPS, { metadata: { generateName: 'last-' } });
    return status === 201 && Number(body.metadata.resourceVersion);
  });
  await until('every watcher has come to the end', () => watchers.every(({ revision }) => revision >= last));
  for (const watcher of watchers) watcher.stop();
  const happened = await happenedIn(members[0]!.url, IN_ETCD, last);
  assertComplete(watchers, happened, what);
  for (const server of servers) await client.assertKept(server);
  for (const server of servers) await server.kill();
  await Promise.all(watching);
  const { acknowledged, reads } = client;
  return { acknowledged, reads, events: happened.length, faults };
}

interface List {
  readonly items: readonly { readonly metadata: { readonly name: string }; readonly data?: Record<string, string> }[];
}

/** Writers and readers, and the state that was acknowledged to them. */
class Clients {
  acknowledged = 0;
  reads = 0;
  readonly #run: Run;
  /** Whether each name exists, as acknowledged; a write without a response removes its name. */
  readonly #names = new Map<string, 'there' | 'gone'>();
  /** The latest acknowledged count and version. */
  #count = 0;
  #version = 0;
  #sure = 0;
  #unsure = 0;

  constructor(run: Run) {
    this.#run = run;
  }

  get #goesOn(): boolean {
    return Date.now() < this.#run.endsAt;
  }

  async write(index: number): Promise<void> {
    const { random, servers } = this.#run;
    for (let round = 0; this.#goesOn; round++) {
      try {
        await this.#make(random.pick(servers), `w${index}-${round}`);
        if (round > 3 && random.chance(40)) await this.#remove(random.pick(servers), `w${index}-${round - 3}`);
        await this.#countUp(random.pick(servers));
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        await sleep(50);
      }
    }
  }

  async #make(server: FaultyServer, name: string): Promise<void> {
    const { status, body } = await server.ask('POST', CONFIG_MAPS, { metadata: { name } });
    if (status === 201) this.#promise(name, 'there', body.metadata.resourceVersion);
  }

  async #remove(server: FaultyServer, name: string): Promise<void> {
    const before = this.#names.get(name);
    this.#names.delete(name);
    const { status } = await server.ask('DELETE', `${CONFIG_MAPS}/${name}`);
    if (status === 200) this.#promise(name, 'gone', '0');
    // 404 may be the response to one's own deletion, retried by the store's client; rejected ones change nothing.
    else if (status === 429 && before !== undefined) this.#names.set(name, before);
  }

  #promise(name: string, state: 'there' | 'gone', version: string): void {
    this.#names.set(name, state);
    this.#version = Math.max(this.#version, Number(version));
    this.acknowledged += 1;
  }

  async #countUp(server: FaultyServer): Promise<void> {
    const { status, body } = await this.#readCount(server);
    if (status !== 200) return;
    const n = Number(body.data?.['n']) + 1;
    this.#unsure += 1;
    const updated = await server.ask('PUT', `${CONFIG_MAPS}/count`, { ...body, data: { n: String(n) } });
    if (updated.status === 200) {
      this.#sure += 1;
      this.#count = Math.max(this.#count, n);
      this.#version = Math.max(this.#version, Number(updated.body.metadata.resourceVersion));
      this.acknowledged += 1;
    }
    if (updated.status === 200 || updated.status === 409) this.#unsure -= 1;
  }

  async #readCount(server: FaultyServer) {
    const least = this.#count;
    const answer = await server.ask('GET', `${CONFIG_MAPS}/count`);
    if (answer.status === 200) this.#assertNotStale(Number(answer.body.data?.['n']), least, 'get');
    return answer;
  }

  async read(): Promise<void> {
    const { random, servers } = this.#run;
    while (this.#goesOn) {
      try {
        await this.#readCount(random.pick(servers));
        await this.#readList(random.pick(servers));
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        await sleep(50);
      }
      await sleep(30);
    }
  }

  async #readList(server: FaultyServer): Promise<void> {
    const [least, version] = [this.#count, this.#version];
    const before = new Map(this.#names);
    const { status, body } = await server.ask('GET', CONFIG_MAPS);
    if (status !== 200) return;
    this.#assertNotStale(Number(body.metadata.resourceVersion), version, 'version of a list');
    const { items } = body as unknown as List;
    const count = items.find(({ metadata }) => metadata.name === 'count')?.data?.['n'];
    this.#assertNotStale(Number(count), least, 'list');
    // Changes that others have started since then may or may not be visible.
    this.#assertNames(items, (name, state) => before.get(name) === state && this.#names.get(name) === state);
  }

  #assertNotStale(found: number, least: number, how: string): void {
    this.reads += 1;
    assert.ok(found >= least, `a ${how} shows ${found} after ${least} was acknowledged (${this.#run.what})`);
  }

  #assertNames(items: List['items'], counts: (name: string, state: 'there' | 'gone') => boolean): void {
    const listed = new Set(items.map(({ metadata }) => metadata.name));
    const wrong = [...this.#names].filter(
      ([name, state]) => counts(name, state) && listed.has(name) !== (state === 'there'),
    );
    assert.deepEqual(wrong, [], `acknowledged and not so (${this.#run.what})`);
  }

  /** Acknowledged state must be visible on a server now. */
  async assertKept(server: FaultyServer): Promise<void> {
    const { items } = (await server.ask('GET', CONFIG_MAPS)).body as unknown as List;
    this.#assertNames(items, () => true);
    const count = Number((await this.#readCount(server)).body.data?.['n']);
    const [sure, unsure] = [this.#sure, this.#unsure];
    assert.ok(
      count >= sure && count <= sure + unsure,
      `${count} steps, ${sure} acknowledged, ${unsure} open (${this.#run.what})`,
    );
  }
}

/** Kills or stops one of the programs for a moment. */
async function fault({ servers, members, random }: Run): Promise<void> {
  const server = random.pick(servers);
  const member = random.pick(members);
  const pauseMs = 200 + random.below(1_500);
  switch (random.below(4)) {
    case 0:
      await server.kill();
      server.start();
      break;
    case 1:
      server.signal('SIGSTOP');
      await sleep(pauseMs);
      server.signal('SIGCONT');
      break;
    case 2:
      await member.restart('SIGKILL');
      break;
    default:
      member.child.kill('SIGSTOP');
      await sleep(pauseMs);
      member.child.kill('SIGCONT');
  }
}

if (import.meta.main) {
  const [seconds = '60', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
  process.stdout.write(`seed ${seed}\n`);
  const { acknowledged, reads, events, faults } = await runFaults({ seconds: Number(seconds), seed: Number(seed) });
  process.stdout.write(
    `${acknowledged} writes acknowledged, ${reads} reads checked, ${events} events, ${faults} faults: all as it should be\n`,
  );
}
