// A server that tests share, one after another: each finds the state that the setup left. This is what the fixtures of
// Vitest, node:test and Jest have in common.

import { limits } from '../base/limits.ts';
import type { Fault, FaultOptions, Faults } from './faults.ts';
import { Kubernetes, type Realm } from './kubernetes.ts';
import type { RequestFilter } from './request-filter.ts';
import { type Snapshot, startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';

export interface KubernetesOptions extends TestServerOptions {
  /** Prepares the state that every test finds: definitions, namespaces, objects. Runs once, before the first test. */
  readonly setup?: (kubernetes: TestKubernetes) => void | Promise<void>;
}

/** The server as a test has it. What the test does with it after its end is an error. */
export interface TestKubernetes extends Pick<Kubernetes, 'request' | 'define'> {
  /** The server, to send what has no type, and for its clock, its history and its address. */
  readonly server: TestServer;
  /** As the server's, but a fault that never fired fails the test. */
  readonly faults: Faults;
}

/** Runs a test with the server. */
export interface Fixture {
  run<Value>(body: (kubernetes: TestKubernetes) => Value | Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

/** The server starts with the first test. `realm` is where the tests are, if they have their own. */
export function kubernetesFixture(options: KubernetesOptions = {}, realm: Realm = { JSON, Error }): Fixture {
  return new SharedServer(options, realm);
}

/** The server, and the state that every test finds. */
interface Started {
  readonly server: TestServer;
  readonly snapshot: Snapshot;
}

class SharedServer implements Fixture {
  readonly #options: KubernetesOptions;
  readonly #realm: Realm;
  #started: Promise<Started> | undefined;
  #runs = false;
  /** Whether a test may have changed the state. */
  #used = false;
  #closed = false;

  constructor(options: KubernetesOptions, realm: Realm) {
    this.#options = options;
    this.#realm = realm;
  }

  async run<Value>(body: (kubernetes: TestKubernetes) => Value | Promise<Value>): Promise<Value> {
    if (this.#closed) throw new this.#realm.Error('the server of these tests is closed');
    // Both would see the other's objects, and one the other's rewind.
    if (this.#runs) throw new this.#realm.Error('tests that share a server run one after another, not concurrently');
    this.#runs = true;
    try {
      this.#started ??= this.#start();
      const { server, snapshot } = await this.#started;
      if (this.#used) await server.rewind(snapshot);
      this.#used = true;
      return await this.#lend(server, body);
    } finally {
      this.#runs = false;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    // Those that use it have been told why it did not start.
    const started = await this.#started?.catch(() => undefined);
    await started?.server.close();
  }

  async #start(): Promise<Started> {
    const { setup, ...options } = this.#options;
    const server = await startTestServer(options);
    try {
      if (setup !== undefined) await this.#lend(server, setup);
      return { server, snapshot: server.snapshot() };
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  async #lend<Value>(server: TestServer, body: (kubernetes: TestKubernetes) => Value | Promise<Value>): Promise<Value> {
    const lent = new LentKubernetes(server, this.#realm);
    try {
      const value = await body(lent);
      lent.assertFired();
      return value;
    } finally {
      lent.end();
    }
  }
}

class LentKubernetes extends Kubernetes implements TestKubernetes {
  readonly faults: CountedFaults;
  readonly #server: TestServer;
  readonly #realm: Realm;
  #over = false;

  constructor(server: TestServer, realm: Realm) {
    super(() => this.server, realm);
    this.#server = server;
    this.#realm = realm;
    this.faults = new CountedFaults(() => this.server.faults);
  }

  get server(): TestServer {
    if (this.#over) throw new this.#realm.Error('the test that had this server is over');
    return this.#server;
  }

  /** @throws Error for a fault that no request met */
  assertFired(): void {
    const idle = this.faults.idle();
    if (idle.length === 0) return;
    const each = idle.map((options) => JSON.stringify(options)).join(', ');
    throw new this.#realm.Error(`no request met the fault ${each}: the test did not test it`);
  }

  end(): void {
    this.#over = true;
    this.#server.faults.clear();
  }
}

/** Remembers the faults of a test that no request has met. */
class CountedFaults implements Faults {
  readonly #faults: () => Faults;
  #added: { readonly fault: Fault; readonly options: FaultOptions }[] = [];

  constructor(faults: () => Faults) {
    this.#faults = faults;
  }

  add(options: FaultOptions): Fault {
    if (this.#added.length >= limits.testFaults) this.#added = this.#added.filter(({ fault }) => fault.count === 0);
    if (this.#added.length >= limits.testFaults) throw new RangeError(`no request met ${limits.testFaults} faults`);
    const fault = this.#faults().add(options);
    this.#added.push({ fault, options });
    return fault;
  }

  cutWatches(filter?: RequestFilter): number {
    return this.#faults().cutWatches(filter);
  }

  clear(): void {
    this.#faults().clear();
  }

  idle(): FaultOptions[] {
    return this.#added.filter(({ fault }) => fault.count === 0).map(({ options }) => options);
  }
}
