// Leader election among the servers on one store, for controllers that must run only once: the leader holds a Lease,
// renews it, and is replaced when it has not done so for the duration of the Lease.

import type { ApiObject } from '../api/object.ts';
import type { Timer } from '../base/clock.ts';
import { objectIn } from '../resources/fill-in.ts';
import { numberAt, textAt } from '../resources/value.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import type { ControllerContext } from './controller.ts';
import { microTime } from './identity-lease.ts';

/** How long a leader may be silent. */
export interface ElectionTimes {
  /** The duration of the Lease: after that, others may take it. */
  readonly leaseSeconds: number;
  /** How long a leader goes on without being able to renew the Lease. */
  readonly renewDeadlineMs: number;
  /** How often the Lease is renewed, or tried to be taken. */
  readonly retryMs: number;
}

interface LeaderElectionOptions extends ControllerContext {
  /** The name of the Lease in kube-system. */
  readonly lease: string;
  /** Unique to this process. */
  readonly identity: string;
  readonly times: ElectionTimes;
  /** Called when this server becomes the leader. */
  readonly onElected: () => void;
  /** Called when it no longer is; its work must stop. */
  readonly onLost: () => Promise<void>;
}

const NAMESPACE = 'kube-system';

export class LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #objects: ControlledObjects;
  /** The content of the Lease when it last changed, and the time of that by our clock. */
  #seen = '';
  #seenAtMs = 0;
  #renewedAtMs = 0;
  #leads = false;
  #timer: Timer | undefined;
  #stopped = false;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#objects = new ControlledObjects(options, 'keelson-controllers', 'keelson');
  }

  get leads(): boolean {
    return this.#leads;
  }

  async start(): Promise<void> {
    const { clock, log } = this.#options;
    try {
      if (await this.#hold()) await this.#held();
      else await this.#lost();
    } catch (error) {
      log.debug({ file: 'leader-election', level: 1 }, 'the lease of the controllers could not be renewed', {
        lease: this.#options.lease,
        error: String(error),
      });
      if (clock.now() - this.#renewedAtMs > this.#options.times.renewDeadlineMs) await this.#lost();
    }
    if (!this.#stopped) this.#timer = clock.after(this.#options.times.retryMs, () => void this.start());
  }

  /** Releases the Lease for another server. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    if (!this.#leads) return;
    this.#leads = false;
    const place = this.#place();
    if (place === undefined) return;
    await this.#objects.change(place, (lease) => {
      if (textAt(lease, 'spec', 'holderIdentity') !== this.#options.identity) return false;
      Object.assign(objectIn(lease, 'spec'), { holderIdentity: '', leaseDurationSeconds: 1 });
      return true;
    });
  }

  async #held(): Promise<void> {
    this.#renewedAtMs = this.#options.clock.now();
    if (this.#leads || this.#stopped) return;
    this.#leads = true;
    this.#options.log.info('this server runs the controllers', { lease: this.#options.lease });
    this.#options.onElected();
  }

  async #lost(): Promise<void> {
    if (!this.#leads) return;
    this.#leads = false;
    this.#options.log.warn('another server runs the controllers', { lease: this.#options.lease });
    await this.#options.onLost();
  }

  /** Whether this server has just renewed or taken the Lease. */
  async #hold(): Promise<boolean> {
    const place = this.#place();
    if (place === undefined) return true;
    if ((await this.#objects.read(place)) === undefined) {
      const spec = { ...this.#claim(), leaseTransitions: 0 };
      const object: ApiObject = { metadata: { name: this.#options.lease, namespace: NAMESPACE }, spec };
      await this.#objects.create(place.definition, object);
      return true;
    }
    let held = false;
    await this.#objects.change(place, (lease) => {
      held = this.#mayTake(lease);
      if (!held) return false;
      const spec = objectIn(lease, 'spec');
      const isOwn = spec['holderIdentity'] === this.#options.identity;
      const { acquireTime, ...renewal } = this.#claim();
      Object.assign(spec, renewal);
      if (!isOwn)
        Object.assign(spec, { acquireTime, leaseTransitions: numberAt(lease, 'spec', 'leaseTransitions') + 1 });
      return true;
    });
    return held;
  }

  /** Whether nobody else holds the Lease, or its holder has been silent for too long by our own clock. */
  #mayTake(lease: ApiObject): boolean {
    const now = this.#options.clock.now();
    const holder = textAt(lease, 'spec', 'holderIdentity');
    const text = `${holder} ${textAt(lease, 'spec', 'renewTime')}`;
    if (text !== this.#seen) {
      this.#seen = text;
      this.#seenAtMs = now;
    }
    if (holder === '' || holder === this.#options.identity) return true;
    return now - this.#seenAtMs > numberAt(lease, 'spec', 'leaseDurationSeconds') * 1_000;
  }

  #claim() {
    const now = microTime(this.#options.clock.now());
    return {
      holderIdentity: this.#options.identity,
      leaseDurationSeconds: this.#options.times.leaseSeconds,
      acquireTime: now,
      renewTime: now,
    };
  }

  #place(): ObjectPlace | undefined {
    const definition = this.#options.catalog.find('coordination.k8s.io', 'leases');
    return definition && { definition, namespace: NAMESPACE, name: this.#options.lease };
  }
}
