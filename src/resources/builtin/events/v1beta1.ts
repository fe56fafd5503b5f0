// Types of events.k8s.io/v1beta1.

import { embedded, inline, int32, microTime, pointer, string, struct, time } from '../../../schema/build.ts';
import { EventSource } from '../core/event/types.ts';
import { ObjectReference } from '../core/reference.ts';
import { objectList } from '../meta/object.ts';
import { ObjectMeta, TypeMeta } from '../meta/v1.ts';

export const Event = struct(
  'events/v1beta1.Event',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    metadata: embedded(1, ObjectMeta).always(),
    eventTime: microTime(2).required(),
    series: pointer(3, EventSeries),
    reportingController: string(4),
    reportingInstance: string(5),
    action: string(6),
    reason: string(7),
    regarding: embedded(8, ObjectReference),
    related: pointer(9, ObjectReference),
    note: string(10),
    type: string(11),
    deprecatedSource: embedded(12, EventSource),
    deprecatedFirstTimestamp: time(13),
    deprecatedLastTimestamp: time(14),
    deprecatedCount: int32(15),
  }),
  { kinds: ['events.k8s.io/v1beta1/Event'] },
);

export const EventSeries = struct('events/v1beta1.EventSeries', () => ({
  count: int32(1).required(),
  lastObservedTime: microTime(2).required(),
}));

export const EventList = objectList(Event);
