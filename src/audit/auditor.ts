// Auditing of a server: evaluates the policy for every request, creates events, and passes them to the sink.

import { escapeHtml } from '../api/json-writer.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { AuditMetrics } from '../lifecycle/audit-metrics.ts';
import { LastAnnotations } from './annotations-member.ts';
import type { Level } from './level.ts';
import type { AuditUser, PolicyEvaluator } from './policy.ts';
import { type AuditedRequest, type EventNeeds, RequestAudit } from './request-audit.ts';
import type { AuditSink, LossReport } from './sink.ts';
import type { StagedEvent } from './staged-event.ts';

interface AuditorOptions {
  readonly policy: PolicyEvaluator;
  readonly sink: AuditSink;
  readonly clock: Clock;
  readonly metrics: AuditMetrics;
}

export class Auditor {
  readonly #options: AuditorOptions;
  readonly #needs: EventNeeds;
  /** Counters of requests by level, looked up once. */
  readonly #levels = new Map<Level, { add(): void }>();
  readonly #users = new WeakMap<AuditUser, string>();

  constructor(options: AuditorOptions) {
    this.#options = options;
    const { clock, sink, metrics } = options;
    const events = metrics.events.with({});
    const times = new MicroTimes();
    const annotations = new LastAnnotations();
    this.#needs = {
      now: () => clock.now(),
      time: (ms) => times.text(ms),
      userJson: (user) => this.#userJson(user),
      annotationsMember: (each) => annotations.member(each),
      emit: (event: StagedEvent, done) => {
        events.add();
        sink.take(event, done);
      },
      holdsAnswers: sink.isBlocking,
    };
  }

  /** Whether requests wait until their first event is stored or dropped. */
  get holdsRequests(): boolean {
    return this.#options.sink.holdsRequests;
  }

  /** Whether requests are rejected if their first event cannot be stored. */
  get isStrict(): boolean {
    return this.#options.sink.isStrict;
  }

  /** The event of a request; undefined if the policy requires none. */
  begin(request: AuditedRequest): RequestAudit | undefined {
    const { policy } = this.#options;
    const recording = policy.evaluate(request.attributes);
    this.#count(recording.level);
    return recording.level === 'None' ? undefined : new RequestAudit(recording, request, this.#needs);
  }

  #count(level: Level): void {
    let count = this.#levels.get(level);
    if (count === undefined) {
      count = this.#options.metrics.levels.with({ level });
      this.#levels.set(level, count);
    }
    count.add();
  }

  /** Counts a request rejected because its first event could not be stored. */
  rejected(): void {
    this.#options.metrics.rejected.with({}).add();
  }

  /** Resolves when all events are stored or dropped. */
  close(): Promise<void> {
    return this.#options.sink.close();
  }

  #userJson(user: AuditUser): string {
    let json = this.#users.get(user);
    if (json === undefined) {
      json = userJson(user);
      this.#users.set(user, json);
    }
    return json;
  }
}

function userJson({ name, uid, groups, extra }: AuditUser): string {
  const hasExtra = Object.keys(extra).length > 0;
  const json = JSON.stringify({
    username: name === '' ? undefined : name,
    uid: uid === '' ? undefined : uid,
    groups: groups.length === 0 ? undefined : groups,
    extra: hasExtra ? extra : undefined,
  });
  return escapeHtml(json);
}

/** Formatting of times, most of which are in the same second as the previous one. */
class MicroTimes {
  #second = Number.NaN;
  #text = '';

  text(ms: number): string {
    const second = Math.floor(ms / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#text = new Date(second * 1_000).toISOString().slice(0, -4);
    }
    const micros = Math.floor((ms - second * 1_000) * 1_000);
    return `${this.#text}${String(micros).padStart(6, '0')}Z`;
  }
}

/** Maximum frequency of log entries about dropped events. */
const TELL_EVERY_MS = 1_000;

/** Counts and logs dropped events: immediately, and then once per second while more are dropped. */
export function lossReport({ clock, log, metrics }: { clock: Clock; log: Log; metrics: AuditMetrics }): LossReport {
  const untold = new Map<string, number>();
  const tell = (plugin: string, why: string) => {
    const events = untold.get(plugin) ?? 0;
    if (events === 0) {
      untold.delete(plugin);
      return;
    }
    untold.set(plugin, 0);
    log.error('audit events were dropped', { plugin, events, why });
    clock.after(TELL_EVERY_MS, () => tell(plugin, why));
  };
  return (plugin, events, why) => {
    metrics.errors.with({ plugin }).add(events.length);
    const before = untold.get(plugin);
    untold.set(plugin, (before ?? 0) + events.length);
    if (before === undefined) tell(plugin, why);
  };
}
