// Events of components that write them in the form of events.k8s.io, as the scheduler does: each has an action and an exact
// time, and repetitions are a series. Only its second occurrence is written at once; later ones are counted here and
// written now and then, as client-go does it.

import type { ApiObject } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import type { User } from '../auth/user.ts';
import type { Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { ControlledObjects } from '../controllers/controlled-objects.ts';
import type { ClusterContext } from './context.ts';
import { remember } from './event-correlator.ts';
import type { Informed } from './informer.ts';

interface SeriesSource {
  /** Who reports: `default-scheduler`. */
  readonly controller: string;
  /** Which of several: its name and that of its host. */
  readonly instance: string;
  readonly as: User;
  /** Determines the manager in managedFields. */
  readonly userAgent: string;
}

interface SeriesReport {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  /** What was done or tried: `Binding`. */
  readonly action: string;
  readonly note: string;
  /** Another object that the event is about. */
  readonly related?: Informed;
}

/** An event that was written. */
interface Known {
  readonly namespace: string;
  readonly name: string;
  /** How often it has been observed. */
  count: number;
  lastMs: number;
  /** Ends when all that is to be written of it is written. */
  written: Promise<void>;
}

/** How long an event waits for its repetition, and how often long series are written. client-go's values. */
const FINISH_MS = 360_000;
const REFRESH_MS = 1_800_000;

export class SeriesEvents {
  readonly #context: ClusterContext;
  readonly #source: SeriesSource;
  readonly #objects: ControlledObjects;
  /** By all that makes events the same, the latest ones last. */
  readonly #known = new Map<string, Known>();
  readonly #writing = new Set<Promise<void>>();
  #timer: Timer | undefined;
  #refreshedMs: number;

  constructor(context: ClusterContext, source: SeriesSource) {
    this.#context = context;
    this.#source = source;
    this.#objects = new ControlledObjects(context, source.as, source.userAgent);
    this.#refreshedMs = context.clock.now();
  }

  /** Records an event. @param regarding the object, with its kind and apiVersion */
  record(regarding: Informed, report: SeriesReport): void {
    const { clock, log } = this.#context;
    if (this.#writing.size >= limits.waitingEvents) {
      log.warn('an event was dropped, because too many wait', {
        ...{ reason: report.reason, name: regarding.metadata.name },
      });
      return;
    }
    const nowMs = clock.now();
    const { type, reason, action, related } = report;
    const subjects = {
      regarding: referenceTo(regarding),
      related: related === undefined ? null : referenceTo(related),
    };
    const key = JSON.stringify([type, reason, action, subjects]);
    const known = this.#known.get(key);
    if (known === undefined) this.#begin(key, regarding, { ...report, nowMs });
    else this.#repeat(known, nowMs);
    this.#timer ??= clock.after(FINISH_MS, () => this.#finish());
  }

  /** Resolves when what is being written is written. */
  async stop(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#known.clear();
    await Promise.all(this.#writing);
  }

  #begin(key: string, regarding: Informed, report: SeriesReport & { readonly nowMs: number }): void {
    const { nowMs, type, reason, action, note, related } = report;
    const { controller, instance } = this.#source;
    const { namespace = '', name = '' } = regarding.metadata;
    const place = { namespace: namespace || 'default', name: this.#nameFor(name, nowMs) };
    const event = {
      metadata: { ...place },
      involvedObject: referenceTo(regarding),
      ...{ reason, message: note },
      ...{ source: {}, firstTimestamp: null, lastTimestamp: null, type, eventTime: microTime(nowMs), action },
      ...(related === undefined ? {} : { related: referenceTo(related) }),
      ...{ reportingComponent: controller, reportingInstance: instance },
    };
    const known: Known = { ...place, count: 1, lastMs: nowMs, written: Promise.resolve() };
    remember(this.#known, key, known);
    this.#write(known, async () => {
      const definition = this.#context.catalog.find('events.k8s.io', 'events');
      if (definition !== undefined) await this.#objects.create(definition, event as unknown as ApiObject);
    });
  }

  #repeat(known: Known, nowMs: number): void {
    known.count++;
    known.lastMs = nowMs;
    if (known.count === 2) this.#writeSeries(known);
  }

  #writeSeries(known: Known): void {
    const { namespace, name, count, lastMs } = known;
    this.#write(known, async () => {
      const definition = this.#context.catalog.find('events.k8s.io', 'events');
      if (definition === undefined) return;
      await this.#objects.change({ definition, namespace, name }, (event) => {
        event['series'] = { count, lastObservedTime: microTime(lastMs) };
        return true;
      });
    });
  }

  /** Writes after what is being written of the event. Failures are logged. */
  #write(known: Known, work: () => Promise<void>): void {
    const { activity, log } = this.#context;
    const { namespace, name } = known;
    const written = known.written.then(work).catch((error: unknown) => {
      log.debug({ file: 'series-events', level: 2 }, 'an event could not be written', {
        ...{ namespace, name, error: String(error) },
      });
    });
    const done: Promise<void> = activity.during(written).finally(() => this.#writing.delete(done));
    this.#writing.add(done);
    known.written = done;
  }

  /** Forgets events that have not been repeated for long; what was counted is written. */
  #finish(): void {
    const nowMs = this.#context.clock.now();
    const isDue = nowMs - this.#refreshedMs >= REFRESH_MS;
    if (isDue) this.#refreshedMs = nowMs;
    for (const [key, known] of this.#known) {
      const isOver = nowMs - known.lastMs > FINISH_MS;
      if ((isOver || isDue) && known.count > 2) this.#writeSeries(known);
      if (isOver) this.#known.delete(key);
    }
    this.#timer = this.#known.size === 0 ? undefined : this.#context.clock.after(FINISH_MS, () => this.#finish());
  }

  /** Nanoseconds since the Unix epoch; a random number replaces the digits that the clock does not have. */
  #nameFor(name: string, nowMs: number): string {
    const nanoseconds = BigInt(Math.floor(nowMs)) * 1_000_000n + BigInt(this.#context.random.below(1_000_000));
    return `${name}.${nanoseconds.toString(16)}`;
  }
}

function referenceTo({ kind = '', apiVersion = '', metadata }: Informed) {
  const { namespace = '', name = '', uid, resourceVersion } = metadata;
  return { kind, ...(namespace === '' ? {} : { namespace }), name, uid, apiVersion, resourceVersion };
}

/** With microseconds. */
function microTime(nowMs: number): string {
  return timestamp(nowMs).replace('Z', `.${String(Math.floor(nowMs) % 1000).padStart(3, '0')}000Z`);
}
