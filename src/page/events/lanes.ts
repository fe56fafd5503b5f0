// The timeline of events: a lane for each object, with what happened to it from left to right.

import type { EventSubject, ObservedEvent } from './event.ts';

export interface Lane {
  readonly subject: EventSubject;
  readonly marks: readonly Mark[];
}

/** When an event happened, as parts of the whole time: 0 at its beginning, 1 at its end. */
interface Mark {
  readonly event: ObservedEvent;
  readonly from: number;
  readonly to: number;
}

interface Timeline {
  /** In milliseconds. */
  readonly from: number;
  readonly to: number;
  /** That of the last event first. */
  readonly lanes: readonly Lane[];
  /** Objects with events for which there was no room. */
  readonly leftOut: number;
}

/** The least time that a timeline shows, so that events of one moment do not fill it. */
const LEAST_MS = 60_000;

/** @param events the latest first */
export function timelineOf(events: readonly ObservedEvent[], maxLanes: number): Timeline {
  const timed = events.filter(({ time }) => !Number.isNaN(Date.parse(time)));
  const byObject = Map.groupBy(timed, ({ about }) => `${about.kind} ${about.namespace} ${about.name}`);
  const chosen = [...byObject.values()].slice(0, maxLanes);
  const times = chosen.flat().flatMap(({ since, time }) => [Date.parse(since), Date.parse(time)]);
  const known = times.filter((time) => !Number.isNaN(time));
  const to = known.reduce((latest, time) => Math.max(latest, time), Number.NEGATIVE_INFINITY);
  const earliest = known.reduce((first, time) => Math.min(first, time), Number.POSITIVE_INFINITY);
  const from = Math.min(earliest, to - LEAST_MS);
  const part = (text: string): number => (Date.parse(text) - from) / (to - from);
  const lanes = chosen.map((some) => ({
    subject: some[0]!.about,
    marks: some.map((event) => ({ event, from: part(event.since) || 0, to: part(event.time) })),
  }));
  return { from, to, lanes, leftOut: byObject.size - chosen.length };
}
