// The objects of events/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';
import type { EventSource } from '../core/event/objects.ts';
import type { ObjectReference } from '../core/reference-objects.ts';

export type Event = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly eventTime?: string | null;
  readonly series?: EventSeries;
  readonly reportingController?: string;
  readonly reportingInstance?: string;
  readonly action?: string;
  readonly reason?: string;
  readonly regarding?: ObjectReference;
  readonly related?: ObjectReference;
  readonly note?: string;
  readonly type?: string;
  readonly deprecatedSource?: EventSource;
  readonly deprecatedFirstTimestamp?: string | null;
  readonly deprecatedLastTimestamp?: string | null;
  readonly deprecatedCount?: number;
};

export type EventSeries = {
  readonly count?: number;
  readonly lastObservedTime?: string | null;
};
