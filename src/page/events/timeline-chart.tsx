// A picture of events over time: a lane for each object, with a dot for a normal event, a triangle for a warning, and a
// line from the first occurrence to the last. The table of the same events says it in words.

import { useMemo } from 'preact/hooks';
import type { ObservedEvent } from './event.ts';
import { SubjectLink } from './event-table.tsx';
import { type Lane, timelineOf } from './lanes.ts';

/** The most objects that have a lane. */
const MAX_LANES = 16;
/** Where the first and the last moment are, in percent of the width: marks keep off the edges. */
const EDGE = 2;

export function TimelineChart({ events }: { readonly events: readonly ObservedEvent[] }) {
  const { from, to, lanes, leftOut } = useMemo(() => timelineOf(events, MAX_LANES), [events]);
  return (
    <section class="timeline" aria-label="Timeline">
      {lanes.map((lane) => (
        <div key={`${lane.subject.kind} ${lane.subject.namespace} ${lane.subject.name}`} class="lane">
          <span class="subject">
            <SubjectLink subject={lane.subject} />
          </span>
          <Marks lane={lane} />
        </div>
      ))}
      <div class="lane weak axis">
        <span class="subject">{leftOut > 0 ? `and ${leftOut.toLocaleString('en')} more objects` : ''}</span>
        <span class="ends">
          <time dateTime={new Date(from).toISOString()}>{clockTime(from)}</time>
          <span>● normal ▲ warning</span>
          <time dateTime={new Date(to).toISOString()}>{clockTime(to)}</time>
        </span>
      </div>
    </section>
  );
}

function Marks({ lane }: { readonly lane: Lane }) {
  return (
    <svg aria-hidden="true" width="100%" height="22">
      {lane.marks.toReversed().map(({ event, from, to }) => {
        const isWarning = event.type === 'Warning';
        const [start, end] = [across(from), across(to)];
        return (
          <g key={event.uid} class={isWarning ? 'warn' : undefined}>
            {from < to && <line x1={start} x2={end} y1="11" y2="11" />}
            <svg x={end} y="11" overflow="visible">
              <title>{`${event.reason}: ${event.message}`}</title>
              {isWarning ? <path d="M0,-5.5 L5.5,4.5 L-5.5,4.5 Z" /> : <circle r="4" />}
            </svg>
          </g>
        );
      })}
    </svg>
  );
}

function across(part: number): string {
  return `${EDGE + part * (100 - 2 * EDGE)}%`;
}

function clockTime(time: number): string {
  return new Date(time).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
}
