// The objects of core/event/types.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../../api/object.ts';
import type { ObjectReference } from '../reference-objects.ts';

export type Event = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly involvedObject?: ObjectReference;
  readonly reason?: string;
  readonly message?: string;
  readonly source?: EventSource;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly count?: number;
  readonly type?: string;
  readonly eventTime?: string | null;
  readonly series?: EventSeries;
  readonly action?: string;
  readonly related?: ObjectReference;
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
};

export type EventSource = {
  readonly component?: string;
  readonly host?: string;
};

export type EventSeries = {
  readonly count?: number;
  readonly lastObservedTime?: string | null;
};
