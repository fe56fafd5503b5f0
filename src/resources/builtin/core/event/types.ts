// Types of the core group, v1: Event.

import { embedded, inline, int32, microTime, pointer, string, struct, time } from '../../../../schema/build.ts';
import { objectList } from '../../meta/object.ts';
import { ObjectMeta, TypeMeta } from '../../meta/v1.ts';
import { ObjectReference } from '../reference.ts';

export const Event = struct(
  'core/v1.Event',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    metadata: embedded(1, ObjectMeta).required(),
    involvedObject: embedded(2, ObjectReference).required(),
    reason: string(3),
    message: string(4),
    source: embedded(5, EventSource),
    firstTimestamp: time(6),
    lastTimestamp: time(7),
    count: int32(8),
    type: string(9),
    eventTime: microTime(10),
    series: pointer(11, EventSeries),
    action: string(12),
    related: pointer(13, ObjectReference),
    reportingComponent: string(14).always(),
    reportingInstance: string(15).always(),
  }),
  { kinds: ['v1/Event'] },
);

export const EventSource = struct('core/v1.EventSource', () => ({
  component: string(1),
  host: string(2),
}));

export const EventSeries = struct('core/v1.EventSeries', () => ({
  count: int32(1),
  lastObservedTime: microTime(2),
}));

export const EventList = objectList(Event);
