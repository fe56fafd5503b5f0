// A siege: a server in a process of its own, a proper client beside it, and one attack after the other. What must hold
// is told by what is left when it is over.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../../src/base/limits.ts';
import { ServerProcess } from '../clients/server-process.ts';
import { until } from '../until.ts';
import { type Attack, attacks } from './attacks.ts';
import { Bystander } from './bystander.ts';
import { http2, residentMegabytes, type Target, targetOf } from './target.ts';

export interface SiegeOptions {
  /** How long each attack lasts. */
  readonly attackMs: number;
  /** How often all of them are repeated. */
  readonly rounds: number;
  readonly tell: (line: string) => void;
}

/** On a quiet machine; on a busy one, what the same request takes in peace counts so many times besides. */
const LATENCY_MS = 100;
const PEACE_TIMES = 25;
/** Above what it held in peace: what may wait for clients, and garbage that Node has not collected yet. */
const KEPT_MEGABYTES = limits.unsentBytes / 1024 / 1024 + 150;

/** @throws AssertionError when others were kept from their work, memory is not given back or a write is lost */
export async function besiege({ attackMs, rounds, tell }: SiegeOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-siege-'));
  const server = new ServerProcess(folder, undefined, [
    '--import',
    new URL('./collect-on-signal.ts', import.meta.url).href,
  ]);
  try {
    await server.start();
    const target = await targetOf(server);
    await fill(target);
    const acknowledged = await attackAll(server, target, { attackMs, rounds, tell });
    await server.kill();
    await server.start();
    const kept = new Set(await names(target));
    const lost = acknowledged.filter((name) => !kept.has(name));
    assert.deepEqual(lost, [], 'writes that were acknowledged are lost');
    tell(`${acknowledged.length} writes were acknowledged, none is lost`);
  } finally {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function attackAll(server: ServerProcess, target: Target, { attackMs, rounds, tell }: SiegeOptions) {
  await using bystander = new Bystander(target);
  await sleep(attackMs);
  await bystander.report();
  await sleep(attackMs);
  const peaceMs = median((await bystander.report()).latenciesMs);
  const memory = residentMegabytes(server.pid);
  tell(`in peace ${peaceMs.toFixed(1)} ms and ${memory.toFixed(0)} MB`);
  let acknowledged: readonly string[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const [name, attack] of Object.entries(attacks)) {
      await carryOut(attack, target, attackMs);
      const report = await bystander.report();
      acknowledged = report.acknowledged;
      const worst = median(report.latenciesMs);
      tell(`${name}: ${worst.toFixed(1)} ms, ${residentMegabytes(server.pid).toFixed(0)} MB`);
      assert.ok(worst < LATENCY_MS + PEACE_TIMES * peaceMs, `${name}: requests of others took ${worst} ms`);
    }
  }
  await until('the memory is given back', async () => {
    process.kill(server.pid, 'SIGUSR2');
    await sleep(200);
    return residentMegabytes(server.pid) < memory + KEPT_MEGABYTES;
  });
  tell(`after it ${residentMegabytes(server.pid).toFixed(0)} MB`);
  return [...acknowledged];
}

async function carryOut(attack: Attack, target: Target, durationMs: number): Promise<void> {
  const over = new AbortController();
  const running = attack(target, over.signal);
  await sleep(durationMs);
  over.abort();
  await running;
}

/** What half of the requests stay below: a pause of a busy machine is not the server's. */
function median(latenciesMs: readonly number[]): number {
  assert.ok(latenciesMs.length > 0, 'the bystander got no answer at all');
  return [...latenciesMs].sort((one, other) => one - other)[Math.floor(latenciesMs.length / 2)]!;
}

const BIG = '/api/v1/namespaces/hostile/configmaps';

/** Objects that are worth not being read. */
async function fill(target: Target): Promise<void> {
  await request(target, 'POST', '/api/v1/namespaces', { metadata: { name: 'hostile' } });
  const made = Array.from({ length: 300 }, (_, index) =>
    request(target, 'POST', BIG, {
      metadata: { name: `m${index}`, annotations: {} },
      data: { text: 'x'.repeat(7_000) },
    }),
  );
  await Promise.all(made);
}

async function names(target: Target): Promise<string[]> {
  const list = JSON.parse(await request(target, 'GET', '/api/v1/namespaces/default/configmaps'));
  return list.items.map((item: { metadata: { name: string } }) => item.metadata.name);
}

async function request(target: Target, method: string, path: string, body?: unknown): Promise<string> {
  const session = http2(target);
  const stream = session.request({ ':method': method, ':path': path, 'content-type': 'application/json' });
  stream.end(body === undefined ? undefined : JSON.stringify(body));
  let text = '';
  for await (const piece of stream.setEncoding('utf8')) text += piece;
  session.close();
  return text;
}
