// Interface of a request's audit event for authorization, admission and verbs, which add to it what only they know. In
// this low layer so that they are independent of how events are created and written.

import type { ApiObject } from './object.ts';

export interface AuditTrail {
  /** Whether bodies of requests are recorded: level Request and above. Otherwise they need not be prepared. */
  readonly recordsRequests: boolean;
  /** Adds an annotation to the event. The first value of a key wins. */
  annotate(key: string, value: string): void;
  /** Records the decoded request object: the event names its object, and may contain it. */
  requestObject(object: ApiObject): void;
  /** Records a request body that is not an object: the JSON text of a patch. */
  requestText(json: string): void;
}
