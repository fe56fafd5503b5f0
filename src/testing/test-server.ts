// A test server in memory that can be restored to an earlier state. It delegates to a series of servers: rewinding ends
// one and starts the next with the content of the snapshot, at the same address and with the same keys, so that no
// in-memory state survives.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TokenAuthenticator } from '../auth/authn/authenticator.ts';
import { Activity } from '../base/activity.ts';
import type { Clock } from '../base/clock.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { Simulated, type Simulation } from '../cluster/nodes/simulation.ts';
import { makeServerKeys, type ServerKeys } from '../server/identity.ts';
import { type ServerOptions, serverOptions } from '../server/options.ts';
import { type Server, type ServerEnvironment, silentLog, startServer } from '../server/server.ts';
import { systemClock } from '../server/system-clock.ts';
import { type MemorySnapshot, MemoryStore } from '../store/memory-store.ts';
import type { Faults } from './faults.ts';
import type { ObjectReference, ObjectVersion, WriteList } from './history.ts';
import type { Requests } from './request-log.ts';
import { standingClock } from './standing-clock.ts';
import { TestClock } from './test-clock.ts';
import { TestHooks } from './test-hooks.ts';

/** A cluster that lives: see the option `nodes`. */
export interface TestCluster extends Pick<Simulation, 'pods' | 'nodes'> {
  /**
   * Resolves when controllers, the scheduler and nodes have nothing to do until time passes: a Deployment that was
   * created before has its pods, and they are ready.
   */
  settled(): Promise<void>;
}

export interface TestServerOptions extends Partial<ServerOptions> {
  /** Opens a port on 127.0.0.1 for clients that need one; by default the server is only reachable by fetch(). */
  readonly listen?: boolean;
  /** The initial content; a snapshot of another server in the same process is accepted. */
  readonly from?: Snapshot;
  /**
   * Makes the server repeatable: with the same seed, the same requests lead to the same history, write by write and name
   * by name. Its clock stands at the beginning of 2026 until it is advanced.
   */
  readonly seed?: number;
}

/** All objects of a server at one moment. Immutable and reusable. */
export class Snapshot {
  /** @internal The content of the store. */
  readonly state: MemorySnapshot;
  /** @internal The history. */
  readonly writes: WriteList;

  /** @internal */
  constructor(state: MemorySnapshot, writes: WriteList) {
    this.state = state;
    this.writes = writes;
  }

  /** The number of objects, including those of the server itself. */
  get size(): number {
    return this.state.entries.length;
  }
}

export interface TestServer extends Omit<Server, 'answer'> {
  /** A bearer token of the administrator. */
  readonly token: string;
  /** The server's clock, which `advance('1h')` moves forward; undefined if the environment supplies a clock. */
  readonly clock: TestClock | undefined;
  /** Sends a request as the administrator; `body`, if any, as JSON. A JSON response is parsed. */
  request(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** Sends a patch as the administrator, a merge patch by default. A JSON response is parsed. */
  patch(path: string, patch: unknown, contentType?: string): Promise<{ status: number; body: unknown }>;
  /** The cluster, of a server with the option `nodes`. */
  readonly cluster: TestCluster;
  /** Makes requests fail, delays them, or closes their connections. */
  readonly faults: Faults;
  /** The requests of clients, including those of this test. */
  readonly requests: Requests;
  /**
   * All versions of an object and their writers, oldest first; for a server in memory, from the latest 20,000 writes.
   */
  history(of: ObjectReference): ObjectVersion[];
  /** Takes a snapshot. Concurrent writes may or may not be included. */
  snapshot(): Snapshot;
  /**
   * Restores a snapshot. Requests and watches in progress end; a client that resumes a watch gets 410 Expired and
   * relists. Resource versions keep increasing. Address, certificates, keys and time are kept. Faults are removed, and
   * the request log is cleared.
   */
  rewind(to: Snapshot): Promise<void>;
}

/** Starts one. `environment` supplies a clock, a log or randomness of the test. */
export async function startTestServer(
  options: TestServerOptions = {},
  environment: Partial<ServerEnvironment> = {},
): Promise<TestServer> {
  const { listen = false, from, seed, ...rest } = options;
  const own = { store: 'memory', securePort: 0, nodeDelays: 'none' } as const;
  const repeatable = seed === undefined ? {} : { time: standingClock, random: new SeededRandom(seed) };
  const server = new RewindableServer({ ...own, ...rest }, { listens: listen, ...repeatable, ...environment });
  await server.start(from);
  return server;
}

/** The cluster of the server that runs now. */
class LivingCluster implements TestCluster {
  readonly #activity: Activity;
  readonly #simulated: Simulated;

  constructor(activity: Activity, simulated: Simulated) {
    this.#activity = activity;
    this.#simulated = simulated;
  }

  settled(): Promise<void> {
    return this.#activity.settled();
  }

  get pods() {
    return this.#current.pods;
  }

  get nodes() {
    return this.#current.nodes;
  }

  get #current(): Simulation {
    const { current } = this.#simulated;
    if (current === undefined) throw new Error('no nodes are simulated');
    return current;
  }
}

class RewindableServer implements TestServer {
  readonly token: string = crypto.randomUUID();
  readonly #clock: TestClock | undefined;
  readonly #cluster: TestCluster;
  readonly #faults: Faults;
  readonly #requests: Requests;
  readonly #hooks: TestHooks;
  readonly #options: Partial<ServerOptions>;
  readonly #environment: Partial<ServerEnvironment>;
  readonly #keys: ServerKeys | undefined;
  readonly #listens: boolean;
  #store: MemoryStore | undefined;
  #server: Server | undefined;
  /** Settles when the current server is ready. */
  #turn: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: Partial<ServerOptions>, given: Partial<ServerEnvironment> & { readonly time?: Clock }) {
    const { time = systemClock, ...environment } = given;
    const activity = environment.activity ?? new Activity(nextTurn);
    const simulated = environment.simulated ?? new Simulated();
    this.#cluster = new LivingCluster(activity, simulated);
    const settled = (options.nodes ?? 0) > 0 ? () => activity.settled() : undefined;
    this.#clock = environment.clock === undefined ? new TestClock(time, settled) : undefined;
    this.#options = options;
    const administrator = { name: 'admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };
    const token: TokenAuthenticator = {
      permanent: true,
      authenticateToken: (given) => (given === this.token ? administrator : undefined),
    };
    const clock = environment.clock ?? this.#clock ?? systemClock;
    this.#hooks = new TestHooks(clock);
    this.#faults = this.#hooks.faults;
    this.#requests = this.#hooks.requests;
    const own = { log: silentLog, ephemeral: true, tokens: [token], hooks: this.#hooks, activity, simulated };
    this.#environment = { ...own, ...environment, clock };
    const complete = serverOptions(options);
    // Clients judge certificates by the real time.
    this.#listens = environment.listens === true;
    if (this.#listens) this.#keys = makeServerKeys(environment.clock ?? systemClock, complete);
  }

  get clock(): TestClock | undefined {
    return this.#open(this.#clock);
  }

  get cluster(): TestCluster {
    return this.#open(this.#cluster);
  }

  get faults(): Faults {
    return this.#open(this.#faults);
  }

  get requests(): Requests {
    return this.#open(this.#requests);
  }

  /** @throws Error after the end of the server */
  #assertOpen(): void {
    if (this.#closed) throw new Error(CLOSED);
  }

  /** A part of the server, of no use after its end. @throws Error */
  #open<Part>(part: Part): Part {
    this.#assertOpen();
    return part;
  }

  get url(): string {
    if (!this.#listens) throw new Error(NO_ADDRESS);
    return this.#running.url;
  }

  get kubeconfig(): string | undefined {
    return this.#running.kubeconfig;
  }

  get kubeconfigText(): string {
    if (!this.#listens) throw new Error(NO_ADDRESS);
    return this.#running.kubeconfigText;
  }

  get #running(): Server {
    if (this.#server === undefined) throw new Error('the server does not run');
    return this.#server;
  }

  async start(from: Snapshot | undefined): Promise<void> {
    const environment = this.#environment;
    const clock = environment.clock ?? systemClock;
    const own = this.#options.store === 'memory' && (this.#options.etcdServers ?? []).length === 0;
    if (own && environment.store === undefined)
      this.#store = new MemoryStore({ clock, ...(from && { from: from.state }) });
    else if (from !== undefined) throw new Error(NOT_IN_MEMORY);
    if (this.#store !== undefined) await this.#hooks.history.follow(this.#store, from?.writes ?? []);
    const port = this.#server === undefined || !this.#listens ? undefined : Number(new URL(this.url).port);
    const store = this.#store === undefined ? environment.store : Promise.resolve(this.#store);
    const options = { ...this.#options, ...(port !== undefined && { securePort: port }) };
    this.#server = await startServer(options, { ...environment, store, keys: environment.keys ?? this.#keys });
    if ((options.nodes ?? 0) === 0) return;
    // So that what the test creates first finds all nodes ready, and waits for no module.
    await Promise.all([this.#cluster.settled(), import('../http/write-handlers.ts')]);
  }

  async fetch(request: Request): Promise<Response> {
    await this.#turn;
    this.#assertOpen();
    return this.#running.fetch(request);
  }

  request(method: string, path: string, value?: unknown): Promise<{ status: number; body: unknown }> {
    return this.#send(method, path, { type: 'application/json', value });
  }

  patch(path: string, value: unknown, type = 'application/merge-patch+json') {
    return this.#send('PATCH', path, { type, value });
  }

  async #send(method: string, path: string, content: { type: string; value: unknown }) {
    const headers = {
      authorization: `Bearer ${this.token}`,
      accept: 'application/json',
      'content-type': content.type,
    };
    if (!path.startsWith('/')) throw new TypeError(`a path begins with a slash, got ${JSON.stringify(path)}`);
    const body = content.value === undefined ? undefined : Buffer.from(JSON.stringify(content.value));
    await this.#turn;
    this.#assertOpen();
    // The target is that of a URL, as in fetch().
    const { pathname, search } = new URL(`https://localhost${path}`);
    const answer = await this.#running.answer({ method, target: pathname + search, headers, body });
    const text = answer.body.toString();
    return { status: answer.status, body: text === '' ? undefined : parsed(text) };
  }

  snapshot(): Snapshot {
    this.#assertOpen();
    if (this.#store === undefined) throw new Error(NOT_IN_MEMORY);
    return new Snapshot(this.#store.snapshot(), this.#hooks.history.writes());
  }

  history(of: ObjectReference): ObjectVersion[] {
    this.#assertOpen();
    if (this.#store === undefined) throw new Error(NOT_IN_MEMORY);
    return this.#hooks.history.versions(of);
  }

  rewind(to: Snapshot): Promise<void> {
    if (this.#closed) return Promise.reject(new Error(CLOSED));
    const turn = this.#turn.then(() => this.#rewind(to));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #rewind({ state, writes }: Snapshot): Promise<void> {
    const store = this.#store;
    if (store === undefined) throw new Error(NOT_IN_MEMORY);
    await this.#running.close();
    this.#faults.clear();
    this.#requests.clear();
    // Above all versions that clients can have seen, so that none of them is mistaken for a current one.
    const revision = Math.max(state.revision, store.currentRevision()) + 1;
    await this.start(new Snapshot({ entries: state.entries, revision }, writes));
  }

  drain(): Promise<void> {
    return this.#running.drain();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#turn;
    await this.#running.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

const CLOSED = 'the test server is closed';
const NO_ADDRESS = 'the test server has no address: start it with listen: true';
const NOT_IN_MEMORY = 'only a server that keeps its objects in memory has snapshots and histories';

/** JSON does not always have its media type: Kubernetes sends some of it as plain text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
