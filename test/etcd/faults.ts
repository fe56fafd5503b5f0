// Servers on one etcd while servers and etcd are killed and stopped at random: what was acknowledged is there, no
// counter loses a step, and watches see every state in order.
//
//   node test/etcd/faults.ts [seconds] [seed]     a longer run than the test's

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from '../../src/base/seeded-random.ts';
import { until } from '../until.ts';
import { type EtcdProcess, findEtcd, freePort, NO_ETCD, startEtcd } from './etcd-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SERVERS = 3;
const WRITERS = 6;

interface Answer {
  readonly status: number;
  readonly body: { data?: Record<string, string>; metadata: { resourceVersion: string } };
}

/** A server in a process of its own. */
class FaultyServer {
  readonly port: string;
  readonly #folder: string;
  readonly #etcd: string;
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  #child: ChildProcess | undefined;

  constructor(folder: string, port: number, etcd: string) {
    this.port = String(port);
    this.#folder = folder;
    this.#etcd = etcd;
  }

  start(): void {
    const tokens = join(ROOT, 'test/conformance/tokens.csv');
    const args = [`--data-dir=${this.#folder}`, `--secure-port=${this.port}`, `--etcd-servers=${this.#etcd}`];
    const all = [join(ROOT, 'bin/keelson.js'), 'serve', ...args, `--token-auth-file=${tokens}`, '--controllers='];
    this.#child = spawn(process.execPath, all, { stdio: 'ignore' });
  }

  async ready(): Promise<void> {
    await until('a server is ready', async () => (await this.ask('GET', '/readyz')).status === 200);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exit;
  }

  ask(method: string, path: string, body?: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' };
      const options = { agent: this.#agent, host: '127.0.0.1', port: this.port, method, path, headers, timeout: 5_000 };
      const sent = request(options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('error', reject);
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            body: text.startsWith('{') ? JSON.parse(text) : { metadata: {} },
          });
        });
      });
      sent.on('timeout', () => sent.destroy(new Error('no answer')));
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/** What happened in a run. */
export interface FaultsReport {
  readonly acknowledged: number;
  readonly faults: number;
}

/** Runs for a while and checks what is left. @throws AssertionError that names the seed */
export async function runFaults({ seconds, seed }: { seconds: number; seed: number }): Promise<FaultsReport> {
  const program = findEtcd();
  if (program === undefined) throw new Error(NO_ETCD);
  const random = new SeededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'keelson-faults-'));
  const etcd = await startEtcd({ program });
  const servers: FaultyServer[] = [];
  for (let index = 0; index < SERVERS; index++) {
    servers.push(new FaultyServer(join(folder, String(index)), await freePort(), etcd.url));
  }
  for (const server of servers) server.start();
  try {
    await Promise.all(servers.map((server) => server.ready()));
    return await withFaults({ servers, etcd, random, seconds, seed });
  } finally {
    for (const server of servers) await server.kill();
    await etcd.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

interface Run {
  readonly servers: readonly FaultyServer[];
  readonly etcd: EtcdProcess;
  readonly random: SeededRandom;
  readonly seconds: number;
  readonly seed: number;
}

async function withFaults(run: Run): Promise<FaultsReport> {
  const { servers, random, seconds, seed } = run;
  await servers[0]?.ask('POST', CONFIG_MAPS, { metadata: { name: 'count' }, data: { n: '0' } });
  const endsAt = Date.now() + seconds * 1_000;
  const made: string[] = [];
  let sure = 0;
  let unsure = 0;
  const writer = async (index: number): Promise<void> => {
    for (let round = 0; Date.now() < endsAt; round++) {
      const server = servers[random.below(servers.length)] as FaultyServer;
      const name = `w${index}-${round}`;
      try {
        if ((await server.ask('POST', CONFIG_MAPS, { metadata: { name } })).status === 201) made.push(name);
        const { status, body } = await server.ask('GET', `${CONFIG_MAPS}/count`);
        if (status !== 200) continue;
        const data = { n: String(Number(body.data?.['n']) + 1) };
        unsure += 1;
        const updated = await server.ask('PUT', `${CONFIG_MAPS}/count`, { ...body, data });
        if (updated.status === 200) sure += 1;
        if (updated.status === 200 || updated.status === 409) unsure -= 1;
      } catch {
        await sleep(50);
      }
    }
  };
  let faults = 0;
  const trouble = async (): Promise<void> => {
    while (Date.now() < endsAt - 2_000) {
      await sleep(300 + random.below(700));
      await fault(run);
      faults += 1;
    }
  };
  await Promise.all([trouble(), ...Array.from({ length: WRITERS }, (_, index) => writer(index))]);
  await Promise.all(servers.map((server) => server.ready()));
  for (const server of servers) {
    const { body } = await server.ask('GET', CONFIG_MAPS);
    const names = new Set(
      (body as unknown as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name),
    );
    const lost = made.filter((name) => !names.has(name));
    assert.deepEqual(lost, [], `acknowledged and not there (seed ${seed})`);
    const count = Number((await server.ask('GET', `${CONFIG_MAPS}/count`)).body.data?.['n']);
    assert.ok(
      count >= sure && count <= sure + unsure,
      `${count} steps, ${sure} acknowledged, ${unsure} open (seed ${seed})`,
    );
  }
  return { acknowledged: made.length + sure, faults };
}

/** Kills or stops one of the programs for a moment. */
async function fault({ servers, etcd, random }: Run): Promise<void> {
  const server = servers[random.below(servers.length)] as FaultyServer;
  const pauseMs = 200 + random.below(1_000);
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
      await etcd.restart('SIGKILL');
      break;
    default:
      etcd.child.kill('SIGSTOP');
      await sleep(pauseMs);
      etcd.child.kill('SIGCONT');
  }
}

if (import.meta.main) {
  const [seconds = '60', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
  process.stdout.write(`seed ${seed}\n`);
  const { acknowledged, faults } = await runFaults({ seconds: Number(seconds), seed: Number(seed) });
  process.stdout.write(`${acknowledged} writes acknowledged, ${faults} faults, nothing lost\n`);
}
