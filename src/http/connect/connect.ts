// Connect requests to a kubelet, a pod or a service. The verbs determine the destination, and forward.ts transports the
// data. Admission sees the requested options as an object, as in kube-apiserver.

import { ApiError, errors } from '../../api/errors.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { goQuote } from '../../base/go-quote.ts';
import { hostAndPort } from '../../base/host-port.ts';
import { limits } from '../../base/limits.ts';
import { percentDecoded } from '../../base/percent-escapes.ts';
import { builtinType } from '../../resources/builtin/types.ts';
import { DecodeError, decodeObject } from '../../schema/decode.ts';
import type { Field } from '../../schema/node.ts';
import {
  type BackendLocation,
  type ConnectContext,
  nodeProxyLocation,
  podProxyLocation,
  serviceProxyLocation,
} from '../../verbs/connect-location.ts';
import { logLocation, podStreamLocation } from '../../verbs/pod-streams.ts';
import { Query } from '../../verbs/query.ts';
import type { ResourceRequest } from '../../verbs/resource-request.ts';
import { clientGone } from '../exchange/transport.ts';
import { authorize } from '../filters/authorize.ts';
import type { RequestContext } from '../request-context.ts';
import { checkAcceptable, unstoredFormat } from '../response/negotiate.ts';
import { upgradesToWebSocket } from '../response/websocket.ts';
import type { BackendResponse } from './backends.ts';
import { cleanPath, forward, passBack } from './forward.ts';
import { sendLogMessages } from './log-messages.ts';
import { isTranslated, TRANSLATION_GATE, translateStreams } from './stream-translation.ts';
import { TUNNEL_GATE, tunnelFor } from './stream-tunnel.ts';

/** exec, attach and portforward. @throws ApiError 400, 404, 500 */
export async function connectStream(context: RequestContext, request: ResourceRequest): Promise<void> {
  refuseDryRun(context);
  const { request: admitted } = await admitConnect(context, request, {});
  if (context.services.writes.registry.gateEnabled(CREATION_NEEDED)) await authorizeCreation(context, request);
  context.becomeLongRunning();
  const location = await podStreamLocation(connectContext(context), admitted);
  if (isTranslatable(context, request)) context.services.metrics.podStreams.asked(request.subresource);
  if (isTranslated(context, request)) return translateStreams(context, location);
  await forward(context, {
    location,
    upgradeRequired: true,
    isThrottled: true,
    mountedAt: undefined,
    tunnel: tunnelFor(context, request),
    unreachable: (why) => errors.unexplained(`error dialing backend: ${dialed(why)}`),
  });
}

/** Whether the gate is on with which the server translates a subresource. */
function isTranslatable({ services }: RequestContext, { subresource }: ResourceRequest): boolean {
  return services.writes.registry.gateEnabled(subresource === 'portforward' ? TUNNEL_GATE : TRANSLATION_GATE);
}

const CREATION_NEEDED = 'AuthorizePodWebsocketUpgradeCreatePermission';

/** WebSockets are opened by GET: whoever may not create the subresource may not by them either. */
async function authorizeCreation(context: RequestContext, { name }: ResourceRequest): Promise<void> {
  const { verb, group, resource } = context.info;
  if (verb === 'create') return;
  await authorize(context, 'create', (reason) => errors.forbidden({ group, resource, name }, reason));
}

/** Compatibility: the request is still served if the destination accepts it. @throws ApiError 400 */
function refuseDryRun({ query }: RequestContext): void {
  if (query.has('dryRun')) throw errors.badRequest('dryRun is not supported');
}

type Locate = (context: ConnectContext, request: ResourceRequest, path: string) => Promise<BackendLocation>;

/** nodes/proxy, pods/proxy and services/proxy, by the destination of each. */
export const connectNode = proxy(nodeProxyLocation);
export const connectPod = proxy(podProxyLocation);
export const connectService = proxy(serviceProxyLocation);

function proxy(locate: Locate) {
  return async (context: RequestContext, request: ResourceRequest): Promise<void> => {
    refuseDryRun(context);
    const rest = behindSubresource(context);
    const asked = percentDecoded(rest) ?? rest;
    const { request: admitted, path } = await admitConnect(context, request, asked === '' ? {} : { path: asked });
    context.becomeLongRunning();
    const location = await locate(
      connectContext(context),
      admitted,
      path === '' ? '' : cleanPath(path === asked ? rest : encodeURI(path.toWellFormed())),
    );
    const { method, target } = context.exchange;
    if (path === '' && (method === 'GET' || method === 'HEAD')) return redirectToRoot(context);
    const pathOnly = target.split('?', 1)[0]!;
    await forward(context, {
      location,
      upgradeRequired: false,
      isThrottled: true,
      mountedAt: pathOnly.slice(0, pathOnly.length - rest.length),
      unreachable: (why) => errors.serviceUnavailable(`error trying to reach service: ${dialed(why)}`),
    });
  };
}

/** Kubernetes' proxies open connections themselves, and do not recognize a backend that speaks HTTP without TLS. */
function dialed(why: string): string {
  const isPlain = why === 'http: server gave HTTP response to HTTPS client';
  return isPlain ? 'tls: first record does not look like a TLS handshake' : why;
}

/** The part of the path behind `/proxy`, as it was sent: '' for none. */
function behindSubresource({ exchange, info }: RequestContext): string {
  const path = exchange.target.split('?', 1)[0]!;
  // The segments up to the subresource, which contain no escaped slash, and the prefix before the proxied path.
  const before = (info.prefix === 'api' ? 3 : 4) + info.parts.length - info.rest.length;
  return path
    .split('/')
    .slice(before)
    .map((segment) => `/${segment}`)
    .join('');
}

/** Relative links of the root page would be wrong without the slash. */
function redirectToRoot(context: RequestContext): void {
  const { target } = context.exchange;
  const question = target.indexOf('?');
  const [path, query] = question < 0 ? [target, ''] : [target.slice(0, question), target.slice(question)];
  context.respond(301, { ...context.headers(undefined), location: `${path}/${query}` }, undefined);
}

/** pods/log. @throws ApiError 400, 404, 406, 422, and errors of the kubelet */
export async function connectLog(context: RequestContext, request: ResourceRequest): Promise<void> {
  // Logs are text, but as in kube-apiserver, clients must also accept objects.
  checkAcceptable(context, false, ['text/plain']);
  unstoredFormat(context);
  const { podLogs } = context.services.metrics;
  podLogs.asked(request.query.flag('insecureSkipTLSVerifyBackend'));
  const location = await logLocation(connectContext(context), request);
  if (location === undefined) return context.respond(204, context.headers(undefined), undefined);
  context.becomeLongRunning();
  const { exchange, services } = context;
  const { path, query = '' } = location;
  const target = query === '' ? path : `${path}?${query}`;
  const address = hostAndPort(location);
  const signal = AbortSignal.any([exchange.signal, services.draining]);
  const headers = { host: address };
  let answer: BackendResponse;
  try {
    answer = await services.backends.call({ ...location, method: 'GET', target, headers, body: undefined, signal });
  } catch (error) {
    if (exchange.signal.aborted) throw clientGone();
    const { message } = error as Error;
    if (message.includes('x509:')) podLogs.unverified();
    throw errors.unexplained(`Get "https://${address}${target}": ${message}`);
  }
  if (answer.status < 200 || answer.status > 206) throw await refusalOf(answer, request);
  if (upgradesToWebSocket(exchange)) return sendLogMessages(context, answer.body);
  await passBack(context, { status: 200, body: answer.body }, context.headers('text/plain'));
}

/** An error of the kubelet, with its text. */
async function refusalOf({ status, body }: BackendResponse, { name }: ResourceRequest): Promise<ApiError> {
  let text = '';
  for await (const piece of body) {
    text += String(piece);
    if (text.length >= limits.backendErrorBytes) break;
  }
  body.destroy();
  text = text.slice(0, limits.backendErrorBytes);
  if (status === 500) return errors.internal(text);
  if (status === 400) return errors.badRequest(text);
  if (status >= 300 && status < 400) return errors.badRequest('the kubelet sent a redirection, which is not followed');
  const known = GENERIC_ANSWERS[status];
  const [reason, message] = known ?? [
    '',
    `the server responded with the status code ${status} but did not return more information`,
  ];
  return new ApiError({
    code: status,
    reason: reason === '' ? undefined! : reason,
    message: `${message} (get pods/log ${name})`,
    details: { name, kind: 'pods/log', causes: [{ reason: 'UnexpectedServerResponse', message: text }] },
  });
}

const GENERIC_ANSWERS: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  403: ['Forbidden', 'the server does not allow access to the requested resource'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: [
    'Timeout',
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
};

function connectContext({ services }: RequestContext): ConnectContext {
  const { writes, catalog, settings } = services;
  return { registry: writes.registry, catalog, nodeAddressTypes: settings.kubeletPreferredAddressTypes };
}

/** A connect request after admission. */
interface Admitted {
  /** With the options as changed by admission. */
  readonly request: ResourceRequest;
  /** The request for a proxied backend. */
  readonly path: string;
}

/** Runs admission for a connect request. @throws ApiError of the plugin that rejects it */
async function admitConnect(context: RequestContext, request: ResourceRequest, also: JsonObject): Promise<Admitted> {
  const { kind } = request.definition.subresources[request.subresource]!;
  const { minor } = context.services.catalog;
  const options: JsonObject = { kind, apiVersion: 'v1', ...optionsOf(kind, request.query, minor), ...also };
  let isChanged = false;
  await context.services.writes.admission.admitWhole({
    request,
    operation: 'connect',
    // Options have no metadata; they are objects only formally.
    object: options as unknown as ApiObject,
    previous: undefined,
    dryRun: false,
    replace: (replacement, _version, { strict = false } = {}) => {
      const next = decodedOptions({ kind, minor }, replacement, strict);
      for (const name of Object.keys(options)) delete options[name];
      Object.assign(options, next);
      isChanged = true;
    },
  });
  const { path, kind: _kind, apiVersion: _version, ...parameters } = options;
  const text = typeof path === 'string' ? path : '';
  return { request: isChanged ? { ...request, query: queryOf(parameters) } : request, path: text };
}

/** @throws ApiError 500 for a result that is not valid options */
function decodedOptions(
  { kind, minor }: { readonly kind: string; readonly minor: number },
  replacement: JsonObject,
  isStrict: boolean,
): JsonObject {
  if (replacement['kind'] !== kind) throw errors.internal(`the patched object is not v1, Kind=${kind}`);
  try {
    const { value, unknown } = decodeObject(builtinType('', 'v1', kind, minor), replacement);
    if (!isStrict || unknown.length === 0) return { ...(value as JsonObject), kind, apiVersion: 'v1' };
    const faults = unknown.map((path) => `unknown field ${JSON.stringify(path)}`);
    throw errors.internal(`strict decoding error: ${faults.join(', ')}`);
  } catch (error) {
    if (error instanceof DecodeError) throw errors.internal(error.message);
    throw error;
  }
}

/** Encodes options as a query. */
function queryOf(options: JsonObject): Query {
  return new Query(
    new Map(
      Object.entries(options).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(String) : [String(value)],
      ]),
    ),
  );
}

/** Decodes the options of a connect request from its query. @throws ApiError 400 */
function optionsOf(kind: string, query: Query, minor: number): JsonObject {
  const options: JsonObject = {};
  for (const [name, field] of builtinType('', 'v1', kind, minor).jsonFields) {
    if (query.has(name)) options[name] = optionOf(name, field, query);
  }
  return options;
}

const MAX_PORT = 65_535;

/** Ports, which may be separated by commas. @throws ApiError 400 with Go's message */
function ports(values: readonly string[]): number[] {
  return values.flatMap((value) =>
    value.split(',').map((text) => {
      const why = !/^\d+$/.test(text) ? 'invalid syntax' : Number(text) > MAX_PORT ? 'value out of range' : '';
      if (why === '') return Number(text);
      throw errors.badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${goQuote(text)}: ${why}`);
    }),
  );
}

function optionOf(name: string, { node }: Field, query: Query) {
  switch (node.kind) {
    case 'bool':
      return query.flag(name);
    case 'list':
      return node.items.kind === 'int32' ? ports(query.all(name)) : [...query.all(name)];
    default:
      return query.text(name);
  }
}
