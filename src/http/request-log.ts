// Log entries of requests: each one at level 3, and at level 2 those that were slow, with what their time went to.

import type { LogFields } from '../base/log.ts';
import type { RequestContext } from './request-context.ts';

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
  const { exchange, info, flow } = context;
  return {
    verb: info.verb,
    URI: exchange.target,
    latency: `${durationMs}ms`,
    userAgent: exchange.headers['user-agent'] ?? '',
    'audit-ID': context.auditId,
    srcIP: exchange.remoteAddress,
    apf_pl: flow?.level.name,
    apf_fs: flow?.name,
    apf_execution_time: flow === undefined ? undefined : `${durationMs - context.waitedMs}ms`,
    resp: context.status,
  };
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
