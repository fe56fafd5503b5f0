// Events of the components of a cluster, in the form and with the counts of Kubernetes' own. They are written in the
// order in which they were recorded, after what they report; one that cannot be written is logged and dropped.

import type { ApiObject } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import type { User } from '../auth/user.ts';
import { limits } from '../base/limits.ts';
import { ControlledObjects } from '../controllers/controlled-objects.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { ClusterContext } from './context.ts';
import { type Correlated, EventCorrelator, remember } from './event-correlator.ts';
import type { Informed } from './informer.ts';

type EventType = 'Normal' | 'Warning';

interface EventSource {
  /** Who reports: `deployment-controller`, `kubelet`. */
  readonly component: string;
  /** The node, for a kubelet. */
  readonly host?: string;
  /** Who writes them: a service account in kube-system, or another user. */
  readonly as: string | User;
  /** Determines the manager in managedFields; that of kube-controller-manager by default. */
  readonly userAgent?: string;
}

/** An object with its kind and apiVersion, or a part of it. */
interface About extends Informed {
  /** The part: `spec.containers{web}`; all of it by default. */
  readonly fieldPath?: string;
}

/** An event about an object. */
interface Report {
  readonly about: About;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

/** An event that was written. */
interface Known {
  readonly namespace: string;
  readonly name: string;
  count: number;
}

/** Half of the nanoseconds of a millisecond, with room for the events of a component. */
const HALF = 450_000;

export class ClusterEvents {
  readonly #context: ClusterContext;
  readonly #source: EventSource;
  readonly #objects: ControlledObjects;
  readonly #correlator = new EventCorrelator();
  readonly #known = new Map<string, Known>();
  /** What distinguishes its events from those of others within a millisecond. */
  readonly #offset: number;
  /** The events that it has named within this millisecond. */
  #named = { ms: 0, count: 0 };
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(context: ClusterContext, source: EventSource) {
    this.#context = context;
    this.#source = source;
    this.#objects = new ControlledObjects(context, source.as, source.userAgent);
    // Nodes report what others have caused.
    this.#offset = context.random.below(HALF) + (source.host === undefined ? 0 : HALF);
  }

  /** Records an event of the type Normal. */
  record(about: About, reason: string, message: string): void {
    this.#queue({ about, type: 'Normal', reason, message });
  }

  /** Records an event of the type Warning. */
  warn(about: About, reason: string, message: string): void {
    this.#queue({ about, type: 'Warning', reason, message });
  }

  #queue(report: Report): void {
    const { about, reason } = report;
    const { activity, log } = this.#context;
    if (this.#waiting >= limits.waitingEvents) {
      log.warn('an event was dropped, because too many wait', { reason, name: about.metadata.name });
      return;
    }
    this.#waiting++;
    const nowMs = this.#context.clock.now();
    this.#last = activity.during(this.#last.then(() => this.#write(report, nowMs)));
  }

  /** Never rejects. */
  async #write(report: Report, nowMs: number): Promise<void> {
    const { about, type, reason, message } = report;
    this.#waiting--;
    const definition = this.#context.catalog.find('', 'events');
    const object = `${about.metadata.uid ?? ''} ${about.fieldPath ?? ''}`;
    const correlated = this.#correlator.correlate({ object, type, reason, message }, nowMs);
    if (definition === undefined || correlated === undefined) return;
    try {
      if (await this.#countedIn(definition, correlated, nowMs)) return;
      await this.#create(definition, { ...report, message: correlated.message }, { key: correlated.key, nowMs });
    } catch (error) {
      const { namespace, name } = about.metadata;
      this.#context.log.debug({ file: 'event-recorder', level: 2 }, 'an event could not be written', {
        ...{ reason, namespace, name },
        error: String(error),
      });
    }
  }

  /** Counts a repetition in the event that was written first, if that is still there. */
  async #countedIn(definition: ResourceDefinition, { key, message }: Correlated, nowMs: number): Promise<boolean> {
    const known = this.#known.get(key);
    if (known === undefined) return false;
    known.count++;
    const change = (event: ApiObject) => {
      Object.assign(event, { count: known.count, lastTimestamp: timestamp(nowMs), message });
      return true;
    };
    const stored = await this.#context.pace.run(() => this.#objects.change({ definition, ...known }, change));
    if (stored === undefined) this.#known.delete(key);
    else remember(this.#known, key, known);
    return stored !== undefined;
  }

  async #create(
    definition: ResourceDefinition,
    { about, type, reason, message }: Report,
    { key, nowMs }: { readonly key: string; readonly nowMs: number },
  ): Promise<void> {
    const { component, host } = this.#source;
    const { kind, apiVersion, metadata, fieldPath } = about;
    const { namespace = '', name = '', uid, resourceVersion } = metadata;
    const time = timestamp(nowMs);
    const place = { namespace: namespace || 'default', name: this.#nameFor(name, nowMs) };
    const event = {
      metadata: { ...place },
      involvedObject: {
        kind,
        ...(namespace === '' ? {} : { namespace }),
        ...{ name, uid, apiVersion, resourceVersion },
        ...(fieldPath === undefined ? {} : { fieldPath }),
      },
      ...{ reason, message },
      source: { component, ...(host === undefined ? {} : { host }) },
      ...{ firstTimestamp: time, lastTimestamp: time, count: 1, type },
      ...{ reportingComponent: component, reportingInstance: host ?? '' },
    };
    await this.#context.pace.run(() => this.#objects.create(definition, event as unknown as ApiObject));
    remember(this.#known, key, { ...place, count: 1 });
  }

  /** Nanoseconds since the Unix epoch, as far as the clock tells them, so that names are in the order of events. */
  #nameFor(name: string, nowMs: number): string {
    const ms = Math.floor(nowMs);
    this.#named = { ms, count: this.#named.ms === ms ? this.#named.count + 1 : 0 };
    const nanoseconds = BigInt(ms) * 1_000_000n + BigInt(this.#offset + this.#named.count);
    return `${name}.${nanoseconds.toString(16)}`;
  }
}
