// The Lease that identifies a server on a shared store, and removal of expired ones.

import { Buffer } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import type { ApiObject, JsonObject } from '../api/object.ts';
import type { Timer } from '../base/clock.ts';
import { hostAndPort } from '../base/host-port.ts';
import { limits } from '../base/limits.ts';
import { objectIn } from '../resources/fill-in.ts';
import { numberAt, textAt } from '../resources/value.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { EVERYTHING } from './object-watch.ts';
import type { PeerAddress } from './peer-address.ts';

const NAMESPACE = 'kube-system';
const COMPONENT = 'kube-apiserver';
const IDENTITY_LABEL = 'apiserver.kubernetes.io/identity';
const PEER_ADDRESS = 'kubernetes.io/peer-advertise-address';
const LEASE_SECONDS = 3_600;
/** kube-apiserver's durations. */
const COLLECT_EVERY_MS = LEASE_SECONDS * 1_000;

/** The name of the Lease of all servers of one host, also used in traces. */
export function identityLeaseName(hostname: string): string {
  const hash = createHash('sha256');
  addText(hash, hostname);
  addText(hash, COMPONENT);
  return `apiserver-${base32(hash.digest().subarray(0, 16))}`;
}

function addText(hash: Hash, text: string): void {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(text));
  hash.update(length).update(text);
}

const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';

function base32(bytes: Uint8Array): string {
  let text = '';
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += DIGITS[(value >> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + DIGITS[(value << (5 - bits)) & 31];
}

/** Whether a Lease belongs to a server. */
export function isIdentityLease({
  labels,
}: {
  readonly labels?: Readonly<Record<string, string>> | undefined;
}): boolean {
  return labels?.[IDENTITY_LABEL] === COMPONENT;
}

export interface ServerName {
  readonly hostname: string;
  /** Unique to this process. */
  readonly uuid: string;
  /** The address for other servers on the same store; undefined if it is not published. */
  readonly peerAddress?: PeerAddress | undefined;
}

export class IdentityLease implements Controller {
  readonly name = 'identity-lease-controller';
  readonly #context: ControllerContext;
  readonly #objects: ControlledObjects;
  readonly #server: ServerName;
  readonly #timers = new Map<string, Timer>();
  #stopped = false;

  constructor(context: ControllerContext, server: ServerName) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, this.name, 'kube-apiserver');
    this.#server = server;
  }

  async start(): Promise<void> {
    await this.#every('renewal', limits.identityLeaseRenewMs, () => this.#renew());
    await this.#every('collection', COLLECT_EVERY_MS, () => this.#collect());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers.values()) timer.cancel();
  }

  async #every(what: string, periodMs: number, work: () => Promise<void>): Promise<void> {
    if (this.#stopped) return;
    try {
      await work();
    } catch (error) {
      // The store may be closed by then.
      if (this.#stopped) return;
      this.#context.log.warn('a lease of identity could not be kept', { what, error: String(error) });
    }
    if (this.#stopped) return;
    this.#timers.set(
      what,
      this.#context.clock.after(periodMs, () => void this.#every(what, periodMs, work)),
    );
  }

  async #renew(): Promise<void> {
    const definition = this.#context.catalog.find('coordination.k8s.io', 'leases');
    if (definition === undefined) return;
    const { hostname, uuid, peerAddress } = this.#server;
    const name = identityLeaseName(hostname);
    const place: ObjectPlace = { definition, namespace: NAMESPACE, name };
    const holderIdentity = `${name}_${uuid}`;
    const renewTime = microTime(this.#context.clock.now());
    const labels = { [IDENTITY_LABEL]: COMPONENT, 'kubernetes.io/hostname': hostname };
    const annotations = peerAddress && { [PEER_ADDRESS]: hostAndPort(peerAddress) };
    if ((await this.#objects.read(place)) === undefined) {
      const spec = { holderIdentity, leaseDurationSeconds: LEASE_SECONDS, renewTime };
      const metadata = { name, namespace: NAMESPACE, labels, ...(annotations && { annotations }) };
      const object: ApiObject = { metadata, spec };
      await this.#objects.create(definition, object);
      return;
    }
    await this.#objects.change(place, (lease) => {
      Object.assign(objectIn(lease, 'spec'), { holderIdentity, leaseDurationSeconds: LEASE_SECONDS, renewTime });
      const metadata = lease.metadata as JsonObject;
      metadata['labels'] = { ...lease.metadata.labels, ...labels };
      if (annotations !== undefined) metadata['annotations'] = { ...lease.metadata.annotations, ...annotations };
      return true;
    });
  }

  /** Removes expired Leases of servers. */
  async #collect(): Promise<void> {
    const { catalog, writes, clock } = this.#context;
    const definition = catalog.find('coordination.k8s.io', 'leases');
    if (definition === undefined) return;
    const { cache } = await writes.registry.storage(definition);
    for (const stored of [...cache.snapshot().objects({ ...EVERYTHING, namespace: NAMESPACE })]) {
      if (!isIdentityLease(stored)) continue;
      const lease = decodeStored(stored);
      const lasts = numberAt(lease, 'spec', 'leaseDurationSeconds') * 1_000;
      const expired = Date.parse(textAt(lease, 'spec', 'renewTime')) + lasts < clock.now();
      if (expired) await this.#objects.delete({ definition, namespace: NAMESPACE, name: stored.name });
    }
  }
}

/** A time with microseconds, the format of Leases. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace(/(\.\d{3})Z$/, '$1000Z');
}
