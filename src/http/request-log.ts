// Log entries of requests: each one at level 3, and at level 2 those that were slow, with what their time went to.

import type { User } from '../auth/user.ts';
import { formatGoDuration } from '../base/go-duration.ts';
import type { LogFields } from '../base/log.ts';
import type { RequestContext } from './request-context.ts';
import { verbOf } from './request-counts.ts';

const EVERY = { file: 'request-log', level: 3 };
/** From how long on a request is slow. Kubernetes' own number. */
const SLOW_MS = 500;
const SLOW = { file: 'request-log', level: 2 };

/** Tells of a request that is over, where somebody wants to know. */
export function tellRequest(context: RequestContext, durationMs: number): void {
  const { log } = context.services;
  log.debug(EVERY, 'HTTP', () => requestFields(context, durationMs));
  if (durationMs < SLOW_MS || context.longRunning !== undefined) return;
  log.debug(SLOW, 'a request was slow', () => ({
    ...requestFields(context, durationMs),
    ...phaseFields(context, durationMs),
  }));
}

/** Under klog's names. */
function requestFields(context: RequestContext, durationMs: number): LogFields {
  const { exchange, flow } = context;
  return {
    verb: verbOf(context),
    URI: exchange.target,
    latency: formatGoDuration(durationMs),
    userAgent: exchange.headers['user-agent'] ?? '',
    'audit-ID': context.auditId,
    srcIP: exchange.remoteAddress,
    apf_pl: flow?.level.name,
    apf_fs: flow?.name,
    ...seatFields(context),
    resp: context.status,
    addedInfo: impersonation(context),
  };
}

function seatFields({ seat, info }: RequestContext): LogFields {
  const held = seat?.held;
  if (held === undefined) return {};
  const executed = formatGoDuration(held.executionMs);
  return {
    apf_iseats: held.initialSeats,
    apf_fseats: held.finalSeats,
    apf_additionalLatency: formatGoDuration(held.additionalMs),
    ...(info.verb === 'watch' ? { apf_init_latency: executed } : {}),
    apf_execution_time: executed,
  };
}

function impersonation({ impersonator, user }: RequestContext): string | undefined {
  if (impersonator === undefined) return undefined;
  const named = ({ name, groups }: User) => `${name}[${groups.join(',')}]`;
  return `${named(impersonator)} is impersonating ${named(user)}`;
}

/** Milliseconds of each phase: one that came twice, as the store when a race was lost, counts together. */
function phaseFields({ phases = [], startMs }: RequestContext, durationMs: number): LogFields {
  const spent: Record<string, number> = {};
  let sinceMs = startMs;
  for (const [phase, endMs] of [...phases, ['answering', startMs + durationMs] as const]) {
    spent[phase] = (spent[phase] ?? 0) + endMs - sinceMs;
    sinceMs = endMs;
  }
  return { phases: spent };
}
