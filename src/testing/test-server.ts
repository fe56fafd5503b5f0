// A server for tests, in memory, that can be put back to what it was. Behind it stands one server after another: to
// rewind is to end the one and to start the next on what the snapshot holds, at the same address and with the same
// keys, so that nothing that the first had in mind outlives it.

import type { TokenAuthenticator } from '../auth/authn/authenticator.ts';
import { makeServerKeys, type ServerKeys } from '../server/identity.ts';
import { type ServerOptions, serverOptions } from '../server/options.ts';
import { type Server, type ServerEnvironment, silentLog, startServer } from '../server/server.ts';
import { systemClock } from '../server/system-clock.ts';
import { type MemorySnapshot, MemoryStore } from '../store/memory-store.ts';
import type { Faults } from './faults.ts';
import type { ObjectReference, ObjectVersion, WriteList } from './history.ts';
import type { Requests } from './request-log.ts';
import { TestClock } from './test-clock.ts';
import { TestHooks } from './test-hooks.ts';

export interface TestServerOptions extends Partial<ServerOptions> {
  /** Opens a port on 127.0.0.1 for clients that need one; without it fetch() alone reaches the server. */
  readonly listen?: boolean;
  /** What the server holds to begin with; a snapshot of another one in the same process will do. */
  readonly from?: Snapshot;
}

/** All objects of a server at a moment. It never changes, and may be used any number of times. */
export class Snapshot {
  /** Not for tests: what a store is filled from. */
  readonly state: MemorySnapshot;
  /** Not for tests: what led there. */
  readonly writes: WriteList;

  constructor(state: MemorySnapshot, writes: WriteList) {
    this.state = state;
    this.writes = writes;
  }

  /** How many objects it holds, those of the server's own among them. */
  get size(): number {
    return this.state.entries.length;
  }
}

export interface TestServer extends Server {
  /** A bearer token of the administrator. */
  readonly token: string;
  /** The server's time, which `advance('1h')` moves forward; undefined where the environment has a clock of its own. */
  readonly clock: TestClock | undefined;
  /** Sends a request as the administrator; `body`, if any, as JSON. The answer's body is parsed, if it is JSON. */
  request(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** Sends a patch as the administrator, a merge patch when no type is given. The answer's body is parsed, if it is JSON. */
  patch(path: string, patch: unknown, contentType?: string): Promise<{ status: number; body: unknown }>;
  /** Makes requests fail, or late, or breaks them off. */
  readonly faults: Faults;
  /** What clients have asked for, this test's own requests among them. */
  readonly requests: Requests;
  /** Every version of an object and who wrote it, the oldest first; for a server in memory, the newest 20,000 writes. */
  history(of: ObjectReference): ObjectVersion[];
  /** What the server holds now. What is being written meanwhile is in it or is not. */
  snapshot(): Snapshot;
  /**
   * Puts the server back to a snapshot. Requests and watches under way end; a client that goes on watching from where
   * it was is told 410 Expired and lists anew. Resource versions go on rising. Address, certificates and keys stay, and
   * so does the time. Faults end, and requests are forgotten.
   */
  rewind(to: Snapshot): Promise<void>;
}

/** Starts one. `environment` hands in a clock, a log or randomness of the test's own. */
export async function startTestServer(
  options: TestServerOptions = {},
  environment: Partial<ServerEnvironment> = {},
): Promise<TestServer> {
  const { listen = false, from, ...rest } = options;
  const server = new RewindableServer({ store: 'memory', securePort: 0, ...rest }, { listens: listen, ...environment });
  await server.start(from);
  return server;
}

class RewindableServer implements TestServer {
  readonly token: string = crypto.randomUUID();
  readonly clock: TestClock | undefined;
  readonly faults: Faults;
  readonly requests: Requests;
  readonly #hooks: TestHooks;
  readonly #options: Partial<ServerOptions>;
  readonly #environment: Partial<ServerEnvironment>;
  readonly #keys: ServerKeys | undefined;
  #store: MemoryStore | undefined;
  #server: Server | undefined;
  /** Settles when the server that stands behind this one may be asked. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: Partial<ServerOptions>, environment: Partial<ServerEnvironment>) {
    this.clock = environment.clock === undefined ? new TestClock(systemClock) : undefined;
    this.#options = options;
    const administrator = { name: 'admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };
    const token: TokenAuthenticator = {
      permanent: true,
      authenticateToken: (given) => (given === this.token ? administrator : undefined),
    };
    const clock = environment.clock ?? this.clock ?? systemClock;
    this.#hooks = new TestHooks(clock);
    this.faults = this.#hooks.faults;
    this.requests = this.#hooks.requests;
    const own = { log: silentLog, ephemeral: true, tokens: [token], hooks: this.#hooks };
    this.#environment = { ...own, ...environment, clock };
    const { serviceClusterIpRange } = serverOptions(options);
    if (environment.listens === true) this.#keys = makeServerKeys(clock, serviceClusterIpRange);
  }

  get url(): string {
    return this.#running.url;
  }

  get kubeconfig(): string | undefined {
    return this.#running.kubeconfig;
  }

  get kubeconfigText(): string {
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
    const port = this.#server === undefined || this.url === '' ? undefined : Number(new URL(this.url).port);
    const store = this.#store === undefined ? environment.store : Promise.resolve(this.#store);
    const options = { ...this.#options, ...(port !== undefined && { securePort: port }) };
    this.#server = await startServer(options, { ...environment, store, keys: environment.keys ?? this.#keys });
  }

  async fetch(request: Request): Promise<Response> {
    await this.#turn;
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
    const init = content.value === undefined ? {} : { body: JSON.stringify(content.value) };
    const response = await this.fetch(new Request(`https://localhost${path}`, { method, headers, ...init }));
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : parsed(text) };
  }

  snapshot(): Snapshot {
    if (this.#store === undefined) throw new Error(NOT_IN_MEMORY);
    return new Snapshot(this.#store.snapshot(), this.#hooks.history.writes());
  }

  history(of: ObjectReference): ObjectVersion[] {
    if (this.#store === undefined) throw new Error(NOT_IN_MEMORY);
    return this.#hooks.history.versions(of);
  }

  rewind(to: Snapshot): Promise<void> {
    const turn = this.#turn.then(() => this.#rewind(to));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #rewind({ state, writes }: Snapshot): Promise<void> {
    const store = this.#store;
    if (store === undefined) throw new Error(NOT_IN_MEMORY);
    await this.#running.close();
    this.faults.clear();
    this.requests.clear();
    // Past all that any client can have seen, so that none takes what it has for what is.
    const revision = Math.max(state.revision, store.currentRevision()) + 1;
    await this.start(new Snapshot({ entries: state.entries, revision }, writes));
  }

  drain(): Promise<void> {
    return this.#running.drain();
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#running.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

const NOT_IN_MEMORY = 'only a server that keeps its objects in memory has snapshots and histories';

/** JSON is not always called so: Kubernetes answers some of it as plain text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
