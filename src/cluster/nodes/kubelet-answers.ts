// Answers of simulated kubelets to requests that the API server passes on: logs of containers, commands, forwarded ports,
// statistics and health. No connection is opened.

import { stringifyJson } from '../../api/json-writer.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterContext } from '../context.ts';
import {
  LogError,
  type Logged,
  type LogOptions,
  loggedAttempt,
  logLines,
  logOptions,
  logText,
} from './container-log.ts';
import { openPort } from './open-ports.ts';
import type { PodRun } from './pod-run.ts';
import { executed } from './simulated-exec.ts';
import type { KubeletAnswer, KubeletRequest, KubeletSession } from './simulation.ts';
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
  if (first === 'exec' || first === 'attach')
    return streamAnswer(view, pathname, { query: searchParams, signal, nowMs: times.nowMs });
  if (first === 'portForward') return portsAnswer(view, rest);
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
    const body = isFollowed ? followed(view, logged, { ...options, text, signal: request.signal }) : text;
    return { status: 200, contentType: TEXT, body };
  } catch (error) {
    if (error instanceof LogError) return { status: 400, contentType: TEXT, body: error.message };
    throw error;
  }
}

function portsAnswer(view: KubeletView, [namespace = '', name = '']: string[]): KubeletAnswer {
  const found = view.pod(namespace, name);
  if (found === undefined) return { status: 404, contentType: TEXT, body: `pod "${name}" does not exist` };
  return { status: 101, contentType: TEXT, body: '', ports: (port) => openPort(found, port) };
}

function json(value: unknown): KubeletAnswer {
  return { status: 200, contentType: 'application/json', body: stringifyJson(value) };
}

/** A log and what is added to it until its container ends. */
async function* followed(
  view: KubeletView,
  logged: Logged,
  { text, signal, ...options }: LogOptions & { readonly text: string; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  const { attempt, pod } = logged;
  const { namespace = '', name = '' } = pod.metadata;
  yield text;
  const after = logLines(logged).length;
  while (attempt.ended === undefined && !signal.aborted) {
    await view.changed(namespace, name, signal);
    if (view.pod(namespace, name) === undefined) break;
  }
  if (attempt.ended !== undefined) yield logText(logged, options, after);
}

/** Executes a command, or attaches to a container, whose output is its log. */
function streamAnswer(view: KubeletView, pathname: string, { query, signal, nowMs }: LogRequest): KubeletAnswer {
  const [, action, namespace = '', name = '', container = ''] = pathname.split('/').map(decodeURIComponent);
  const found = view.pod(namespace, name);
  const answer = (session: KubeletSession) => ({ status: 101, contentType: TEXT, body: '', session });
  if (found !== undefined && action === 'exec') {
    const session = executed(found.run, container, query.getAll('command'));
    if (session !== undefined) return answer(session);
  }
  const attempt = found?.run.containers.get(container)?.attempt;
  if (found !== undefined && action === 'attach' && attempt !== undefined && attempt.ended === undefined) {
    const logged = { pod: found.pod, name: container, attempt };
    const options = logOptions(new URLSearchParams(), nowMs);
    return answer({
      output: followed(view, logged, { ...options, text: logText(logged, options), signal }),
      exitCode: 0,
    });
  }
  return { status: 500, contentType: TEXT, body: `container not found ("${container}")` };
}
