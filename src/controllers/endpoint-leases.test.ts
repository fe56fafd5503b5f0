import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import { SeededRandom } from '../base/seeded-random.ts';
import { FeatureGates } from '../lifecycle/feature-gates.ts';
import { silentLog } from '../server/server.ts';
import { MemoryStore } from '../store/memory-store.ts';
import type { Expected, WriteResult } from '../store/store.ts';
import { Registry } from '../verbs/registry.ts';
import { EndpointLeases } from './endpoint-leases.ts';

const FOLDER = '/registry/masterleases/';

/** A store whose writes wait, or fail, as a test says. */
class GuardedStore extends MemoryStore {
  beforePut: () => Promise<void> = async () => {};
  override async put(key: string, value: Buffer, expected: Expected): Promise<WriteResult> {
    await this.beforePut();
    return await super.put(key, value, expected);
  }
}

/** The servers of one store. */
class Servers {
  readonly clock = new ManualClock();
  readonly store = new GuardedStore({ clock: this.clock });
  readonly #registry = new Registry({
    ...{ store: this.store, clock: this.clock, random: new SeededRandom(1), gates: new FeatureGates() },
  });
  readonly warnings: string[] = [];

  server(address: string): { leases: EndpointLeases; told: (readonly string[])[] } {
    const told: (readonly string[])[] = [];
    const log: Log = { ...silentLog, warn: (message) => void this.warnings.push(message) };
    const onAddresses = async (addresses: readonly string[]) => void told.push(addresses);
    const { clock } = this;
    return { told, leases: new EndpointLeases({ registry: this.#registry, clock, log, address, onAddresses }) };
  }

  async entries(): Promise<Record<string, { generation: number; subsets: unknown }>> {
    const { entries } = await this.store.list(FOLDER);
    return Object.fromEntries(
      entries.map(({ key, value }) => {
        const { metadata, subsets } = JSON.parse(value.toString());
        return [key.slice(FOLDER.length), { generation: metadata.generation, subsets }];
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#registry.close();
    await this.store.close();
  }
}

const subsetsOf = (ip: string) => [{ addresses: [{ ip }] }];

describe('endpoint leases of the servers on one store', () => {
  it('endpoint leases of the servers on one store are stored in the format of kube-apiserver, and reported to each server in order', async () => {
    await using servers = new Servers();
    const [one, other] = [servers.server('10.0.0.2'), servers.server('10.0.0.1')];
    await one.leases.start();
    await other.leases.start();
    assert.deepEqual(await servers.entries(), {
      '10.0.0.1': { generation: 1, subsets: subsetsOf('10.0.0.1') },
      '10.0.0.2': { generation: 1, subsets: subsetsOf('10.0.0.2') },
    });
    assert.deepEqual([one.told, other.told], [[['10.0.0.2']], [['10.0.0.1', '10.0.0.2']]]);
  });

  it('endpoint leases of the servers on one store are renewed before they expire, each time with another generation', async () => {
    await using servers = new Servers();
    const { leases, told } = servers.server('10.0.0.1');
    await leases.start();
    const renewed = Promise.withResolvers<void>();
    servers.store.beforePut = async () => renewed.resolve();
    servers.clock.advance(limits.endpointLeaseRenewMs);
    await renewed.promise;
    await leases.stop();
    assert.equal(told.length, 3, 'at the start, when it is renewed, and at the end');
    assert.deepEqual(await servers.entries(), {});
  });

  it('endpoint leases of the servers on one store are deleted by a server that stops, which the other servers see', async () => {
    await using servers = new Servers();
    const [one, other] = [servers.server('10.0.0.1'), servers.server('10.0.0.2')];
    await one.leases.start();
    await other.leases.start();
    await one.leases.stop();
    assert.deepEqual(Object.keys(await servers.entries()), ['10.0.0.2']);
    assert.deepEqual(one.told.at(-1), ['10.0.0.2']);
    servers.clock.advance(10 * limits.endpointLeaseRenewMs);
    await other.leases.stop();
    assert.deepEqual(await servers.entries(), {}, 'nothing is written after the end');
  });

  it('endpoint leases of the servers on one store are not created again by a renewal in progress when the server stops', async () => {
    await using servers = new Servers();
    const { leases } = servers.server('10.0.0.1');
    const held = Promise.withResolvers<void>();
    servers.store.beforePut = () => held.promise;
    const starting = leases.start();
    const stopping = leases.stop();
    held.resolve();
    await Promise.all([starting, stopping]);
    assert.deepEqual(await servers.entries(), {});
  });

  it('endpoint leases of the servers on one store are written again later, with a warning, if the store fails', async () => {
    await using servers = new Servers();
    const { leases, told } = servers.server('10.0.0.1');
    servers.store.beforePut = async () => {
      throw new Error('the store is away');
    };
    await leases.start();
    assert.deepEqual(servers.warnings, ['the address of this server could not be kept alive']);
    assert.deepEqual(told, []);
    servers.store.beforePut = async () => {};
    servers.clock.advance(limits.endpointLeaseRenewMs);
    await leases.stop();
    assert.deepEqual(told.at(0), ['10.0.0.1']);
  });
});
