// Priority and fairness as a step of the pipeline: every request is told its flow schema, gets a seat at once, waits for
// one, or is refused with 429. A watch gives its seat back when its initial events were sent.

import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Soon } from '../base/soon.ts';
import type { FlowController } from '../flowcontrol/flow-controller.ts';
import type { FlowRequest } from '../flowcontrol/flow-request.ts';
import type { FlowSchema } from '../flowcontrol/flow-schema.ts';
import type { Ticket } from '../flowcontrol/ticket.ts';
import { WatchCounts } from '../flowcontrol/watch-counts.ts';
import type { WorkEstimate } from '../flowcontrol/work-estimate.ts';
import type { HighWatermark } from '../lifecycle/high-watermark.ts';
import type { TimingRatio } from '../lifecycle/timing-histogram.ts';
import { selectedName } from './authorize.ts';
import { isLongRunning } from './deadlines.ts';
import type { HeldSeats, RequestContext } from './request-context.ts';
import { type InFlightCounts, isReading, type RequestGate, refuseTooMany } from './request-gate.ts';
import { estimateWork, isIndexedWatch, type StatsOf } from './request-work.ts';

/** Requests waiting or executing, of one kind, as a part of what the server allows. */
interface KindUtilization {
  readonly waiting: TimingRatio;
  readonly executing: TimingRatio;
}

export interface FairnessOptions {
  readonly clock: Clock;
  readonly settings: { readonly requestTimeoutMs: number };
  readonly controller: FlowController;
  readonly statsOf: StatsOf;
  readonly counts: InFlightCounts;
  readonly utilization: { readonly reading: KindUtilization; readonly writing: KindUtilization };
}

/** The requests of one kind, reading or writing. */
interface RequestKind {
  readonly executing: HighWatermark;
  readonly waiting: HighWatermark;
  readonly utilization: KindUtilization;
}

export class Fairness implements RequestGate {
  readonly #options: FairnessOptions;
  readonly #watchCounts = new WatchCounts();
  readonly #reading: RequestKind;
  readonly #writing: RequestKind;

  constructor(options: FairnessOptions) {
    const kind = (name: 'reading' | 'writing'): RequestKind => ({
      executing: options.counts.executing[name],
      waiting: options.counts.waiting[name],
      utilization: options.utilization[name],
    });
    this.#options = options;
    this.#reading = kind('reading');
    this.#writing = kind('writing');
  }

  admit(context: RequestContext): Soon<void> {
    const { info } = context;
    const isWatch = info.isResource && info.verb === 'watch';
    if (!isWatch && isLongRunning(info)) return;
    const { controller, clock } = this.#options;
    const request = flowRequest(context);
    const schema = controller.classify(request);
    context.flow = schema;
    const ticket = controller.start(schema, request, this.#estimate(context, { request, schema }));
    if (typeof ticket === 'string') {
      schema.level.retryAfter.dropped(clock.now());
      return refuseTooMany(context, schema.level.retryAfter.seconds);
    }
    if (ticket.state === 'waiting') return this.#wait(context, schema, ticket);
    this.#begin(context, schema, ticket);
  }

  #estimate(context: RequestContext, { request, schema }: { request: FlowRequest; schema: FlowSchema }): WorkEstimate {
    return estimateWork(context, {
      request,
      levelSeats: schema.level.widestRequest,
      statsOf: this.#options.statsOf,
      bySize: context.services.writes.registry.gateEnabled('SizeBasedListCostEstimate'),
      watchersOf: (place) => {
        const count = this.#watchCounts.interested(place);
        schema.series.watchCounts.observe(count);
        return count;
      },
    });
  }

  /** Until its turn comes, its time is up or its client has gone. */
  #wait(context: RequestContext, schema: FlowSchema, ticket: Ticket): Promise<void> {
    const { clock } = this.#options;
    const { signal } = context.exchange;
    const kind = this.#kindOf(context);
    const leave = () => ticket.release();
    const deadlineMs = context.startMs + this.#waitLimitMs(context);
    const timer = clock.after(Math.max(0, deadlineMs - clock.now()), leave);
    noteWaiting(kind, 1);
    return new Promise((resolve) => {
      ticket.onDecided((executes) => {
        timer.cancel();
        signal.removeEventListener('abort', leave);
        noteWaiting(kind, -1);
        context.waitedMs = clock.now() - ticket.arrivedMs;
        schema.series.waited(context.waitedMs / 1000, true);
        if (executes) this.#begin(context, schema, ticket);
        else {
          schema.level.retryAfter.dropped(clock.now());
          refuseTooMany(context, schema.level.retryAfter.seconds);
        }
        resolve();
      });
      signal.addEventListener('abort', leave);
      if (signal.aborted) leave();
    });
  }

  #begin(context: RequestContext, schema: FlowSchema, ticket: Ticket): void {
    const { clock } = this.#options;
    context.seat = new FlowSeat({ clock, ticket, schema, kind: this.#kindOf(context) });
    if (context.info.verb !== 'watch' || isIndexedWatch(context)) return;
    context.onOver = this.#watchCounts.register(ticket.arrival.request);
  }

  #kindOf({ info }: RequestContext): RequestKind {
    return isReading(info.verb) ? this.#reading : this.#writing;
  }

  /** A quarter of the time that the request is allowed. */
  #waitLimitMs({ allowedMs }: RequestContext): number {
    return Math.min((allowedMs ?? this.#options.settings.requestTimeoutMs) / 4, limits.queueWaitMs);
  }
}

function noteWaiting({ waiting, utilization }: RequestKind, change: 1 | -1): void {
  waiting.add(change);
  utilization.waiting.set(waiting.value);
}

interface FlowSeatInit {
  readonly clock: Clock;
  readonly ticket: Ticket;
  readonly schema: FlowSchema;
  readonly kind: RequestKind;
}

class FlowSeat {
  readonly #init: FlowSeatInit;
  #endedMs: number | undefined;

  constructor(init: FlowSeatInit) {
    const { executing, utilization } = init.kind;
    this.#init = init;
    executing.add(1);
    utilization.executing.set(executing.value);
  }

  get held(): HeldSeats {
    const { clock, ticket } = this.#init;
    const { initialSeats, finalSeats, additionalMs } = ticket.estimate;
    return { initialSeats, finalSeats, additionalMs, executionMs: (this.#endedMs ?? clock.now()) - ticket.startedMs };
  }

  release(): void {
    const { clock, ticket, schema, kind } = this.#init;
    if (ticket.state !== 'executing') return;
    this.#endedMs = clock.now();
    kind.executing.add(-1);
    kind.utilization.executing.set(kind.executing.value);
    schema.series.executed((this.#endedMs - ticket.startedMs) / 1000, ticket.arrival.request.verb === 'watch');
    ticket.release();
  }
}

function flowRequest(context: RequestContext): FlowRequest {
  const { info, user } = context;
  const { verb, isResource, path, group, version, resource, subresource, namespace } = info;
  return {
    user,
    verb,
    isResource,
    path,
    group,
    version,
    resource,
    subresource,
    namespace,
    name: selectedName(context),
  };
}
