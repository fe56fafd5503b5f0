// The interface of the handlers of verbs: what is known once a request's verb, resource and format are.

import type { ResourceRequest } from '../verbs/resource-request.ts';
import type { RequestContext } from './request-context.ts';
import type { Format } from './response/format.ts';
import type { ObjectEncoder } from './response/object-bytes.ts';

interface Handling {
  readonly request: ResourceRequest;
  readonly encoder: ObjectEncoder;
  readonly format: Format;
}

export type VerbHandler = (context: RequestContext, handling: Handling) => Promise<void>;
