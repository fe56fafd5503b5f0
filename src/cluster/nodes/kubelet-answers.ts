// Answers of simulated kubelets to requests that the API server passes on: logs of containers, statistics and health.
// No connection is opened. Nothing can be executed in simulated containers, and no port of them is open.

import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterContext } from '../context.ts';
import { LogError, loggedAttempt, logLines, logOptions, logText } from './container-log.ts';
import type { PodRun } from './pod-run.ts';
import type { KubeletAnswer, KubeletRequest } from './simulation.ts';
import { type MeasuredPod, resourceMetrics, statsSummary } from './usage-metrics.ts';

/** What a kubelet knows of its pods. */
export interface KubeletView {
  readonly nodeName: string;
  readonly nodeStartedMs: number;
  pods(): readonly MeasuredPod[];
  pod(namespace: string, name: string): { readonly pod: Pod; readonly run: PodRun } | undefined;
  /** Resolves after the next look at a pod, or when the signal is aborted. */
  changed(namespace: string, name: string, signal: AbortSignal): Promise<void>;
}

const TEXT = 'text/plain';
const NOT_EXECUTED = 'containers of simulated nodes run no processes: nothing can be executed in them or sent to them';
const STREAMS = new Set(['exec', 'attach', 'portForward', 'run', 'cri']);

export function kubeletAnswer(
  { clock }: Pick<ClusterContext, 'clock'>,
  view: KubeletView,
  { target, signal }: KubeletRequest,
): KubeletAnswer {
  const { pathname, searchParams } = new URL(target, 'https://kubelet');
  const [, first = '', ...rest] = pathname.split('/').map(decodeURIComponent);
  const times = { nowMs: clock.now(), nodeStartedMs: view.nodeStartedMs };
  if (first === 'healthz' || pathname === '/livez') return { status: 200, contentType: TEXT, body: 'ok' };
  if (first === 'containerLogs') return logAnswer(view, rest, { query: searchParams, signal, nowMs: times.nowMs });
  if (STREAMS.has(first)) return { status: 501, contentType: TEXT, body: NOT_EXECUTED };
  if (pathname === '/stats/summary') return json(statsSummary(view.nodeName, view.pods(), times));
  if (pathname === '/metrics/resource') {
    return { status: 200, contentType: 'text/plain; version=0.0.4', body: resourceMetrics(view.pods(), times) };
  }
  if (pathname === '/pods') {
    return json({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items: view.pods().map(({ pod }) => pod) });
  }
  return { status: 404, contentType: TEXT, body: '404 page not found\n' };
}

interface LogRequest {
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
  readonly nowMs: number;
}

function logAnswer(
  view: KubeletView,
  [namespace = '', name = '', container = '']: string[],
  request: LogRequest,
): KubeletAnswer {
  const found = view.pod(namespace, name);
  if (found === undefined) return { status: 404, contentType: TEXT, body: `pod "${name}" does not exist` };
  const { query, nowMs } = request;
  const options = logOptions(query, nowMs);
  try {
    const { pod } = found;
    const attempt = loggedAttempt(found, container, options.previous);
    const logged = { pod, name: container, attempt };
    const limit = Number(query.get('limitBytes') ?? Number.POSITIVE_INFINITY);
    const text = logText(logged, options).slice(0, limit);
    const isFollowed = query.get('follow') === 'true' && attempt.ended === undefined;
    if (!isFollowed) return { status: 200, contentType: TEXT, body: text };
    const rest = async function* () {
      yield text;
      const after = logLines(logged).length;
      while (attempt.ended === undefined && !request.signal.aborted) {
        await view.changed(namespace, name, request.signal);
        if (view.pod(namespace, name) === undefined) break;
      }
      if (attempt.ended !== undefined) yield logText(logged, options, after);
    };
    return { status: 200, contentType: TEXT, body: rest() };
  } catch (error) {
    if (error instanceof LogError) return { status: 400, contentType: TEXT, body: error.message };
    throw error;
  }
}

function json(value: unknown): KubeletAnswer {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(value) };
}
