// Priority and fairness as a step of the handler chain: every request is classified by flow schema and gets a seat
// immediately, waits for one, or is rejected with 429. A watch releases its seat when its initial events have been
// sent.

import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Soon } from '../../base/soon.ts';
import type { FlowRequest } from '../../flowcontrol/flow-request.ts';
import type { FlowSchema } from '../../flowcontrol/flow-schema.ts';
import type { Ticket } from '../../flowcontrol/ticket.ts';
import { WatchCounts } from '../../flowcontrol/watch-counts.ts';
import { ONE_SEAT, type WorkEstimate } from '../../flowcontrol/work-estimate.ts';
import type { HighWatermark } from '../../lifecycle/high-watermark.ts';
import type { RequestContext } from '../request-context.ts';
import { selectedName } from './authorize.ts';
import { isLongRunning } from './deadlines.ts';
import type { FlowServices, KindUtilization } from './flow-services.ts';
import type { HeldSeats, Seat } from './held-seats.ts';
import { type InFlightCounts, isReading, type RequestGate, refuseTooMany } from './request-gate.ts';
import { estimateWork, isIndexedWatch, takesOneSeat } from './request-work.ts';

interface FairnessOptions extends FlowServices {
  readonly clock: Clock;
  readonly settings: { readonly requestTimeoutMs: number };
  readonly counts: InFlightCounts;
}

/** Requests of one kind, reading or mutating. */
interface RequestKind {
  readonly clock: Clock;
  readonly executing: HighWatermark;
  readonly waiting: HighWatermark;
  readonly utilization: KindUtilization;
}

export class Fairness implements RequestGate {
  readonly #options: FairnessOptions;
  readonly #watchCounts = new WatchCounts();
  /** Rejections that are sent later. */
  #waitingRefusals = 0;
  readonly #reading: RequestKind;
  readonly #writing: RequestKind;

  constructor(options: FairnessOptions) {
    const kind = (name: 'reading' | 'writing'): RequestKind => ({
      clock: options.clock,
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
    const { controller } = this.#options;
    const request = flowRequest(context);
    const schema = controller.classify(request);
    context.classified(schema);
    const estimate = takesOneSeat(info) ? ONE_SEAT : this.#estimate(context, { request, schema });
    const ticket = controller.start(schema, request, estimate);
    if (typeof ticket === 'string') return this.#refuse(context, schema);
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

  /**
   * Rejects a request, immediately as long as rejections are rare. Clients that retry without a pause get later
   * rejections delayed: each rejection costs work that other requests need. They are not all delayed by the same time,
   * so that the retries do not arrive all at once either.
   */
  #refuse(context: RequestContext, { level }: FlowSchema): Soon<void> {
    const { clock } = this.#options;
    const drops = level.retryAfter.dropped(clock.now());
    const { seconds } = level.retryAfter;
    if (drops <= limits.promptRefusals || this.#waitingRefusals >= limits.waitingRefusals) {
      return refuseTooMany(context, seconds);
    }
    const step = this.#waitingRefusals++ % limits.lateRefusalSteps;
    return new Promise((resolve) => {
      clock.after(limits.lateRefusalMs * (1 - step / (2 * limits.lateRefusalSteps)), () => {
        this.#waitingRefusals--;
        refuseTooMany(context, seconds);
        resolve();
      });
    });
  }

  /** Until a seat is available, the time is up, or the client has gone. */
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
        const waitedMs = clock.now() - ticket.arrivedMs;
        context.waited(waitedMs);
        schema.series.waited(waitedMs / 1000, true);
        if (executes) this.#begin(context, schema, ticket);
        else {
          // It has waited long enough to be rejected immediately.
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
    context.seated(new FlowSeat(ticket, schema, this.#kindOf(context)));
    if (context.info.verb !== 'watch' || isIndexedWatch(context)) return;
    context.whenOver(this.#watchCounts.register(ticket.arrival.request));
  }

  #kindOf({ info }: RequestContext): RequestKind {
    return isReading(info.verb) ? this.#reading : this.#writing;
  }

  /** A quarter of the request's timeout. */
  #waitLimitMs({ allowedMs }: RequestContext): number {
    return Math.min((allowedMs ?? this.#options.settings.requestTimeoutMs) / 4, limits.queueWaitMs);
  }
}

function noteWaiting({ waiting, utilization }: RequestKind, change: 1 | -1): void {
  waiting.add(change);
  utilization.waiting.set(waiting.value);
}

class FlowSeat implements Seat {
  readonly #ticket: Ticket;
  readonly #schema: FlowSchema;
  readonly #kind: RequestKind;
  #endedMs: number | undefined;

  /** Created for every request, so its parts are separate arguments. */
  constructor(ticket: Ticket, schema: FlowSchema, kind: RequestKind) {
    this.#ticket = ticket;
    this.#schema = schema;
    this.#kind = kind;
    noteExecuting(kind, 1, ticket.startedMs);
  }

  get held(): HeldSeats {
    const { estimate, startedMs } = this.#ticket;
    const { initialSeats, finalSeats, additionalMs } = estimate;
    const executionMs = (this.#endedMs ?? this.#kind.clock.now()) - startedMs;
    return { initialSeats, finalSeats, additionalMs, executionMs };
  }

  release(): void {
    const ticket = this.#ticket;
    if (ticket.state !== 'executing') return;
    const nowMs = this.#kind.clock.now();
    this.#endedMs = nowMs;
    noteExecuting(this.#kind, -1, nowMs);
    this.#schema.series.executed((nowMs - ticket.startedMs) / 1000, ticket.arrival.request.verb === 'watch');
    ticket.release(nowMs);
  }
}

function noteExecuting({ executing, utilization }: RequestKind, change: 1 | -1, nowMs: number): void {
  executing.add(change, nowMs);
  utilization.executing.set(executing.value, nowMs);
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
