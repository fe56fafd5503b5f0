// Estimate of the work of a request, derived from its verb and query as in Kubernetes.

import { pinnedFieldIn } from '../../api/field-selector.ts';
import type { FlowRequest } from '../../flowcontrol/flow-request.ts';
import type { WatchedPlace } from '../../flowcontrol/watch-counts.ts';
import {
  type ListWork,
  listEstimate,
  listEstimateByCount,
  ONE_SEAT,
  type WorkEstimate,
  widestList,
  writeEstimate,
} from '../../flowcontrol/work-estimate.ts';
import type { Query } from '../../verbs/query.ts';
import type { RequestContext } from '../request-context.ts';
import type { StatsOf } from './flow-services.ts';

interface WorkSources {
  readonly request: FlowRequest;
  /** The maximum that the priority level permits; undefined for no maximum. */
  readonly levelSeats: number | undefined;
  readonly statsOf: StatsOf;
  /** Whether the work of a list is estimated by its bytes rather than by the number of its objects. */
  readonly bySize: boolean;
  /** Watchers that a write concerns. */
  readonly watchersOf: (place: WatchedPlace) => number;
}

/** Whether a request takes one seat whatever it asks for, so that its work need not be estimated. */
export function takesOneSeat({ isResource, verb }: RequestContext['info']): boolean {
  return !isResource || verb === 'get';
}

export function estimateWork(context: RequestContext, sources: WorkSources): WorkEstimate {
  const { request, levelSeats } = sources;
  switch (request.verb) {
    case 'list':
      return estimateList(context, sources);
    case 'watch':
      return context.query.flag('sendInitialEvents') ? estimateList(context, sources) : ONE_SEAT;
    case 'create':
    case 'update':
    case 'patch':
    case 'delete':
      // A token request causes no event.
      if (request.resource === 'serviceaccounts' && request.subresource === 'token') return ONE_SEAT;
      return writeEstimate(sources.watchersOf(request), levelSeats);
    default:
      return ONE_SEAT;
  }
}

function estimateList({ query }: RequestContext, { request, levelSeats, statsOf, bySize }: WorkSources): WorkEstimate {
  const limit = query.text('limit');
  if (query.has('limit') && !/^[+-]?\d+$/.test(limit)) return widestList(bySize, levelSeats);
  const list: ListWork = {
    limit: Number(limit),
    selects: query.text('fieldSelector') !== '' || query.text('labelSelector') !== '',
    single: request.name !== '',
    fromCache: request.verb === 'watch' || isFromCache(query),
  };
  const estimate = bySize ? listEstimate : listEstimateByCount;
  return estimate(list, statsOf(request.group, request.version, request.resource), levelSeats);
}

/** Whether Kubernetes serves such a list from memory; ours always does, but estimates the same. */
function isFromCache(query: Query): boolean {
  const match = query.text('resourceVersionMatch');
  if (match !== '') return match === 'NotOlderThan';
  if (query.text('continue') !== '') return false;
  const revision = query.text('resourceVersion');
  return revision === '' || revision === '0' || !(Number(query.text('limit')) > 0);
}

/** Whether a watch requires a value of the field by which watches are indexed, so that most writes do not concern it. */
export function isIndexedWatch({ info, query, services }: RequestContext): boolean {
  const { group, version, resource } = info;
  const indexed = services.catalog.lookup(group, version, resource)?.definition.strategy.selection?.indexed;
  return indexed !== undefined && (pinnedFieldIn(query.text('fieldSelector'), indexed) ?? '') !== '';
}
