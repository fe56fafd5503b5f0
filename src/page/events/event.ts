// Events as people read them: when something happened last and how often, what, and to which object. Clients write the
// time in one of several fields.

import type { WholeObject } from '../cluster/live-table.ts';

export interface ObservedEvent {
  readonly uid: string;
  /** RFC 3339, of the last occurrence. */
  readonly time: string;
  /** Of the first occurrence. */
  readonly since: string;
  /** `Normal` or `Warning`. */
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** How often it happened. */
  readonly count: number;
  readonly about: EventSubject;
  /** The component that reported it. */
  readonly reporter: string;
}

export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Returns what an event of the core group says. @internal */
export function observed(event: WholeObject): ObservedEvent {
  const series = membersOf(event['series']);
  const subject = membersOf(event['involvedObject']);
  const created = event.metadata.creationTimestamp ?? '';
  const time =
    firstText(series['lastObservedTime'], event['lastTimestamp'], event['eventTime'], event['firstTimestamp']) ||
    created;
  return {
    uid: event.metadata.uid,
    time,
    since: firstText(event['firstTimestamp'], event['eventTime']) || time,
    type: textOf(event['type']),
    reason: textOf(event['reason']),
    message: textOf(event['message']),
    count: Math.max(1, Number(series['count'] ?? event['count'] ?? 1) || 1),
    about: {
      apiVersion: textOf(subject['apiVersion']) || 'v1',
      kind: textOf(subject['kind']),
      namespace: textOf(subject['namespace']),
      name: textOf(subject['name']),
      uid: textOf(subject['uid']),
    },
    reporter: textOf(event['reportingComponent']) || textOf(membersOf(event['source'])['component']),
  };
}

/** Returns what events say, the latest first. */
export function latestFirst(events: readonly WholeObject[]): ObservedEvent[] {
  return events
    .map((event) => ({ event: observed(event), version: Number(event.metadata.resourceVersion) }))
    .sort((a, b) => Date.parse(b.event.time) - Date.parse(a.event.time) || b.version - a.version)
    .map(({ event }) => event);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function firstText(...values: readonly unknown[]): string {
  return values.map(textOf).find((text) => text !== '') ?? '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
