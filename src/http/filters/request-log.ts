// Log entries of requests: every request at level 3, and slow requests at level 2, with a breakdown of their time.

import type { User } from '../../auth/user.ts';
import { formatGoDuration } from '../../base/go-duration.ts';
import type { LogFields } from '../../base/log.ts';
import { headerText } from '../exchange/header-texts.ts';
import type { RequestContext } from '../request-context.ts';
import { verbOf } from './request-counts.ts';

const EVERY = { file: 'request-log', level: 3 };
/** The threshold for slow requests, Kubernetes' own. */
const SLOW_MS = 500;
const SLOW = { file: 'request-log', level: 2 };

/** Logs a request that has ended, if the log level requires it. */
export function tellRequest(context: RequestContext, durationMs: number): void {
  const { log } = context.services;
  log.debug(EVERY, 'HTTP', () => requestFields(context, durationMs));
  if (durationMs < SLOW_MS || context.longRunning !== undefined) return;
  log.debug(SLOW, 'a request was slow', () => ({
    ...requestFields(context, durationMs),
    ...phaseFields(context, durationMs),
  }));
}

/** With klog's names. */
function requestFields(context: RequestContext, durationMs: number): LogFields {
  const { exchange, flow } = context;
  return {
    verb: verbOf(context),
    URI: exchange.target,
    latency: formatGoDuration(durationMs),
    userAgent: headerText(exchange.headers['user-agent'] ?? ''),
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

/** Milliseconds of each phase; repeated phases, such as the store after a lost race, are added up. */
function phaseFields({ phases = [], startMs }: RequestContext, durationMs: number): LogFields {
  const spent: Record<string, number> = {};
  let sinceMs = startMs;
  for (const [phase, endMs] of [...phases, ['answering', startMs + durationMs] as const]) {
    spent[phase] = (spent[phase] ?? 0) + endMs - sinceMs;
    sinceMs = endMs;
  }
  return { phases: spent };
}
