// Streams of a pod that its kubelet serves: logs, exec, attach and port forwarding. Validates the options and
// translates them for the kubelet.

import { errors, type FieldError, fieldError } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import { compareText } from '../base/compare-text.ts';
import { isSince } from '../lifecycle/version.ts';
import { listAt, textAt } from '../resources/value.ts';
import { canonicalTime } from '../schema/rfc3339.ts';
import { timeFault } from '../schema/time-fault.ts';
import { type BackendLocation, type ConnectContext, kubeletLocation, podOf } from './connect-location.ts';
import type { Query } from './query.ts';
import type { ResourceRequest } from './resource-request.ts';

/** The first minor release of Kubernetes 1 that knows the streams of a log. */
const STREAMS = 32;
const LOG_STREAMS = ['All', 'Stderr', 'Stdout'];

/**
 * The location of a container's log.
 * @returns undefined for a pod without a node, which has no log yet
 * @throws ApiError 400, 404, 422 for options out of range and 500 for a node without an address
 */
export async function logLocation(
  context: ConnectContext,
  request: ResourceRequest,
): Promise<BackendLocation | undefined> {
  const { query, namespace, name } = request;
  const options = logOptions(query, {
    knowsStreams: isSince(request.definition, STREAMS),
    mayChooseStream: context.registry.gateEnabled('PodLogsQuerySplitStreams'),
  });
  if (options.found.length > 0) {
    throw errors.invalid({ group: '', kind: 'PodLogOptions', name }, options.found);
  }
  const pod = await podOf(context, request);
  const container = containerOf(pod, query.text('container'));
  const node = textAt(pod, 'spec', 'nodeName');
  if (node === '') return undefined;
  const kubelet = await kubeletLocation(context, request, node);
  const path = `/containerLogs/${segments(namespace, name, container)}`;
  const insecure = query.flag('insecureSkipTLSVerifyBackend');
  return { ...kubelet, insecure, path, query: encoded(options.parameters) };
}

interface LogOptions {
  /** The request to the kubelet. */
  readonly parameters: [string, string][];
  readonly found: FieldError[];
}

/** @throws ApiError 400 for options that cannot be parsed */
function logOptions(
  query: Query,
  { knowsStreams, mayChooseStream }: { knowsStreams: boolean; mayChooseStream: boolean },
): LogOptions {
  const found: FieldError[] = [];
  const numbers = { limitBytes: query.integer('limitBytes'), tailLines: query.integer('tailLines') };
  const sinceSeconds = query.integer('sinceSeconds');
  const sinceTime = sinceTimeOf(query);
  if (numbers.tailLines !== undefined && numbers.tailLines < 0) {
    found.push(fieldError.invalid('tailLines', numbers.tailLines, 'must be greater than or equal to 0'));
  }
  if (numbers.limitBytes !== undefined && numbers.limitBytes < 1) {
    found.push(fieldError.invalid('limitBytes', numbers.limitBytes, 'must be greater than 0'));
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    found.push(fieldError.forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    found.push(fieldError.invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  }
  const stream = knowsStreams && query.has('stream') ? query.text('stream') : undefined;
  if (stream !== undefined) found.push(...streamErrors(stream, mayChooseStream, numbers.tailLines));
  const parameters: [string, string][] = [];
  for (const flag of ['follow', 'previous', 'timestamps']) if (query.flag(flag)) parameters.push([flag, 'true']);
  for (const [member, value] of Object.entries({ ...numbers, sinceSeconds, sinceTime, stream })) {
    if (value !== undefined) parameters.push([member, String(value)]);
  }
  return { parameters, found };
}

function streamErrors(stream: string, mayChoose: boolean, tailLines: number | undefined): FieldError[] {
  if (!mayChoose) return [fieldError.forbidden('stream', 'may not be specified')];
  if (!LOG_STREAMS.includes(stream)) return [fieldError.notSupported('stream', stream, LOG_STREAMS)];
  if (stream === 'All' || tailLines === undefined) return [];
  return [fieldError.forbidden('[]', '`tailLines` and specific `stream` are mutually exclusive for now')];
}

function sinceTimeOf(query: Query): string | undefined {
  const text = query.text('sinceTime');
  if (text === '') return undefined;
  const time = canonicalTime(text, 'time');
  if (time !== undefined && time !== null) return time;
  throw errors.badRequest(timeFault(text, 'time'));
}

/**
 * The destination of exec, attach or port forwarding.
 * @throws ApiError 400 for an unknown container or a pod without a node, 404, 500
 */
export async function podStreamLocation(context: ConnectContext, request: ResourceRequest): Promise<BackendLocation> {
  const { query, namespace, name, subresource } = request;
  const pod = await podOf(context, request);
  const forwards = subresource === 'portforward';
  const container = forwards ? [] : [containerOf(pod, query.text('container'))];
  const node = textAt(pod, 'spec', 'nodeName');
  if (node === '') throw errors.badRequest(`pod ${name} does not have a host assigned`);
  const kubelet = await kubeletLocation(context, request, node);
  const root = forwards ? 'portForward' : subresource;
  const parameters = forwards ? portParameters(query) : streamParameters(query, subresource);
  return { ...kubelet, path: `/${root}/${segments(namespace, name, ...container)}`, query: encoded(parameters) };
}

function streamParameters(query: Query, subresource: string): [string, string][] {
  const names = { stdin: 'input', stdout: 'output', stderr: 'error', tty: 'tty' };
  const parameters: [string, string][] = [];
  for (const [asked, told] of Object.entries(names)) if (query.flag(asked)) parameters.push([told, '1']);
  if (subresource === 'exec') for (const word of query.all('command')) parameters.push(['command', word]);
  return parameters;
}

function portParameters(query: Query): [string, string][] {
  const ports = query.all('ports').flatMap((each) => each.split(','));
  return ports.filter((each) => each !== '').map((each) => ['port', each]);
}

/** The container: the named one, or the only one. @throws ApiError 400 */
function containerOf(pod: ApiObject, named: string): string {
  const lists = ['containers', 'initContainers', 'ephemeralContainers'].map((list) =>
    listAt(pod, 'spec', list).map((each) => textAt(each, 'name')),
  );
  const [containers = [], initial = [], ephemeral = []] = lists;
  const { name } = pod.metadata;
  if (named !== '') {
    if (lists.some((list) => list.includes(named))) return named;
    throw errors.badRequest(`container ${named} is not valid for pod ${name}`);
  }
  if (containers.length === 1) return containers[0]!;
  const say = `a container name must be specified for pod ${name}`;
  if (containers.length === 0) throw errors.badRequest(say);
  throw errors.badRequest(`${say}, choose one of: [${[...initial, ...containers, ...ephemeral].join(' ')}]`);
}

function segments(...names: string[]): string {
  return names.map(encodeURIComponent).join('/');
}

/** A query, sorted by name as Go encodes it. */
function encoded(parameters: readonly (readonly [string, string])[]): string {
  const sorted = [...parameters].sort(([one], [other]) => compareText(one, other));
  return sorted.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}
