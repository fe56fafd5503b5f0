// Requests that are nearly right, thousands of them, against a server without a port: whatever comes in, there is an
// answer in time, it is never a fault of the server's own, and nothing of it stays behind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SeededRandom } from '../../src/base/seeded-random.ts';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { type FuzzRequest, randomRequest, recordedRequests } from './random-request.ts';
import { fuzzRun } from './run-options.ts';
import { CountingClock, ErrorLog } from './watched-environment.ts';

const answerDeadlineMs = 30_000;
const concurrency = 16;

test('every random request is answered, and none with an internal error', { timeout: 3_600_000 }, async (context) => {
  const { seed, rounds } = fuzzRun(4_000);
  context.diagnostic(`seed ${seed}, ${rounds} requests`);
  const clock = new CountingClock();
  const log = new ErrorLog();
  await using server = await startTestServer({}, { clock, log });
  const recorded = recordedRequests();
  const findings: string[] = [];
  let left = rounds;
  let slowest = { ms: 0, what: '' };
  const send = async (random: SeededRandom) => {
    while (left-- > 0) {
      const request = randomRequest(random, recorded);
      const logged = log.errors.length;
      // As over a socket, a request comes with a round of the event loop. Without one the others would starve what waits
      // for its turn.
      await turn();
      const began = performance.now();
      const fault = await faultOf(server, request);
      const ms = performance.now() - began;
      if (ms > slowest.ms) slowest = { ms, what: `${request.method} ${request.target.slice(0, 300)}` };
      if (fault !== undefined) findings.push(described(request, fault, log.errors.slice(logged)));
    }
  };
  const seeds = new SeededRandom(seed);
  await Promise.all(Array.from({ length: concurrency }, () => send(new SeededRandom(seeds.below(2 ** 32)))));

  context.diagnostic(`the slowest took ${Math.round(slowest.ms)} ms: ${slowest.what}`);
  assert.equal(findings.length, 0, `seed ${seed}, ${findings.length} findings\n${distinct(findings).join('\n\n')}`);
  assert.deepEqual(log.errors, []);
  await clock.letGo();
  // Somebody else may serve the core group by now: its APIService can be written, too.
  const { status } = await server.request('GET', '/livez');
  assert.equal(status, 200);
});

/** What is wrong with the answer to a request; undefined for an answer as it should be. */
async function faultOf(server: TestServer, request: FuzzRequest): Promise<string | undefined> {
  const deadline = AbortSignal.timeout(answerDeadlineMs);
  try {
    const response = await server.fetch(toRequest(request, server.token, deadline));
    if (response.headers.get('content-type')?.includes('watch') || isWatch(request)) {
      await response.body?.cancel();
      return undefined;
    }
    const text = await response.text();
    return isOwnFault(response.status, text) ? `${response.status} ${text.slice(0, 600)}` : undefined;
  } catch (error) {
    if (deadline.aborted) return `no answer in ${answerDeadlineMs} ms`;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

function toRequest({ method, target, headers, body }: FuzzRequest, token: string, signal: AbortSignal): Request {
  const authorization = `Bearer ${token}`;
  const init = { method, headers: { authorization, ...headers }, signal };
  return new Request(`https://localhost${target}`, body === undefined ? init : { ...init, body: new Uint8Array(body) });
}

function isWatch({ target }: FuzzRequest): boolean {
  return /[?&]watch=|\/watch\//.test(target);
}

/** kube-apiserver has its 500s too, for what clients do. Ours are those that no one designed; they are also logged. */
function isOwnFault(status: number, text: string): boolean {
  return status === 500 && text.includes('the server met an unexpected condition');
}

function described({ method, target, headers, body }: FuzzRequest, fault: string, logged: readonly string[]): string {
  const shown = body === undefined ? '' : `\n  body ${JSON.stringify(body.toString('utf8').slice(0, 1_000))}`;
  return `${method} ${target}\n  headers ${JSON.stringify(headers)}${shown}\n  ${fault}\n  ${logged.join('\n  ')}`;
}

/** One finding for each fault that says something new, at most ten. */
function distinct(findings: readonly string[]): string[] {
  const byFault = new Map(findings.map((finding) => [/\bat .*$/m.exec(finding)?.[0] ?? finding, finding]));
  return [...byFault.values()].slice(0, 10);
}
