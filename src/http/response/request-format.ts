// The format of the response to a request for objects, in the order in which kube-apiserver finds faults.

import { checkListOptions } from '../../verbs/list.ts';
import type { ResourceRequest } from '../../verbs/resource-request.ts';
import type { RequestContext } from '../request-context.ts';
import type { Format } from './format.ts';
import { resourceFormat } from './negotiate.ts';

/** List options are validated before the requested format, field selectors after it. */
export function requestFormat(context: RequestContext, request: ResourceRequest): Format {
  try {
    return resourceFormat(context, request.definition);
  } catch (error) {
    if (context.info.verb === 'list') checkListOptions(request);
    throw error;
  }
}
