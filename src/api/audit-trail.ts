// The audit event of a request, as those see it who take part in answering the request: authorization, admission and
// verbs note there what only they know. It stands this low so that none of them knows how events are made or written.

import type { ApiObject } from './object.ts';

export interface AuditTrail {
  /** Whether bodies of requests are recorded: level Request and above. What only they would show need not be made. */
  readonly recordsRequests: boolean;
  /** Adds an annotation to the event. The first value of a key stays. */
  annotate(key: string, value: string): void;
  /** Notes what the client sent, as it was understood: the event names the object that it is about, and may show it. */
  requestObject(object: ApiObject): void;
  /** Notes what the client sent where that is not an object: the JSON text of a patch. */
  requestText(json: string): void;
}
