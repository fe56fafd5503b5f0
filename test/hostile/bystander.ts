// A legitimate client during the attacks, in its own thread so that their work does not slow it down: it reads small
// objects one after another and measures the latencies, and writes objects and records the acknowledged ones. It
// deletes the oldest, so that the server's data does not grow.

import { type ClientHttp2Session, connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { Target } from './target.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const PAUSE_MS = 10;
/** One write per this many reads. */
const READS_A_WRITE = 5;
/** How many acknowledged objects are kept. */
const KEPT_OBJECTS = 2_000;

export interface Report {
  /** Latencies since the last report, in milliseconds; infinite for failures. */
  readonly latenciesMs: readonly number[];
  /** How late its own timers were meanwhile, in milliseconds: the load of the machine. */
  readonly lateMs: readonly number[];
  /** Names of the objects whose creation was acknowledged, and whose deletion was not requested. */
  readonly acknowledged: readonly string[];
}

export class Bystander implements AsyncDisposable {
  readonly #worker: Worker;

  constructor(target: Target) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: target });
  }

  report(): Promise<Report> {
    return this.#ask('report');
  }

  /** The last report: nothing is written or deleted after it. */
  finish(): Promise<Report> {
    return this.#ask('finish');
  }

  #ask(what: 'report' | 'finish'): Promise<Report> {
    return new Promise((resolve) => {
      this.#worker.once('message', resolve);
      this.#worker.postMessage(what);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

async function work({ port, credentials }: Target): Promise<void> {
  let latenciesMs: number[] = [];
  let lateMs: number[] = [];
  const acknowledged: string[] = [];
  let isFinishing = false;
  const report = () => {
    parentPort!.postMessage({ latenciesMs, lateMs, acknowledged } satisfies Report);
    latenciesMs = [];
    lateMs = [];
  };
  parentPort!.on('message', (what) => {
    if (what === 'finish') isFinishing = true;
    else report();
  });
  let session: ClientHttp2Session | undefined;
  for (let round = 0; !isFinishing; round++) {
    if (session === undefined || session.closed || session.destroyed) {
      session = connect(`https://localhost:${port}`, { ...credentials }).on('error', () => {});
    }
    const writes = round % READS_A_WRITE === 0;
    const name = `kept-${round}`;
    const oldest = acknowledged.length > KEPT_OBJECTS ? acknowledged.shift() : undefined;
    if (oldest !== undefined) await send(session, 'DELETE', `${MAPS}/${oldest}`);
    const started = performance.now();
    const status = await (writes
      ? send(session, 'POST', MAPS, JSON.stringify({ metadata: { name }, data: { round: String(round) } }))
      : send(session, 'GET', '/api/v1/namespaces/default'));
    const isGood = status === (writes ? 201 : 200);
    if (isGood && writes) acknowledged.push(name);
    latenciesMs.push(isGood ? performance.now() - started : Number.POSITIVE_INFINITY);
    const pausedAt = performance.now();
    await sleep(PAUSE_MS);
    lateMs.push(performance.now() - pausedAt - PAUSE_MS);
  }
  report();
}

/** The status; 0 without a response. */
function send(session: ClientHttp2Session, method: string, path: string, body?: string): Promise<number> {
  return new Promise((resolve) => {
    const stream = session.request({ ':method': method, ':path': path, 'content-type': 'application/json' });
    let status = 0;
    stream.on('response', (head) => (status = Number(head[':status'])));
    stream.on('error', () => resolve(0));
    stream.on('close', () => resolve(status));
    stream.resume().end(body);
  });
}

if (parentPort !== null) await work(workerData as Target);
