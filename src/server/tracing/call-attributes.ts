// Attributes of the spans of requests and of calls to other servers. Each release of Kubernetes follows the semantic
// conventions of the OpenTelemetry version that it was built with, and later conventions renamed nearly all attributes.

import type { Attributes } from '@opentelemetry/api';
import type { OutgoingCall } from '../../api/call-trace.ts';
import type { RequestContext } from '../../http/request-context.ts';
import { isSince } from '../../lifecycle/version.ts';

/** The release whose attributes spans have. */
export interface SpanRelease {
  /** The minor release of Kubernetes 1. */
  readonly minor: number;
}

/** The first minor releases of Kubernetes 1 with the stable conventions of HTTP, and with newer ones of gRPC. */
const STABLE_HTTP = 35;
const NEW_RPC = 36;
const HTTPS_PORT = 443;

/** The attributes with which the span of a request begins. */
export function requestAttributes(context: RequestContext, release: SpanRelease): Attributes {
  const { exchange, auditId } = context;
  const { headers, protocol, remoteAddress } = exchange;
  const { hostname = '', port = '' } = URL.parse(`https://${headers['host'] ?? ''}`) ?? {};
  const version = protocol.split('/')[1] ?? '';
  if (isSince(release, STABLE_HTTP)) {
    const client = headers['x-forwarded-for']?.split(',', 1)[0] || remoteAddress;
    return {
      ...{ 'http.request.method': exchange.method, 'url.scheme': 'https', 'url.path': pathOf(context) },
      ...serverAttributes(hostname, port),
      ...(remoteAddress === '' ? {} : { 'network.peer.address': remoteAddress }),
      ...(client === '' ? {} : { 'client.address': client }),
      'network.protocol.version': version,
      'user_agent.original': headers['user-agent'] ?? '',
      'audit-id': auditId,
    };
  }
  return {
    'http.method': exchange.method,
    'http.scheme': 'https',
    'http.target': exchange.target,
    ...(hostname === '' ? {} : { 'net.host.name': hostname, 'net.host.port': Number(port) || HTTPS_PORT }),
    ...(remoteAddress === '' ? {} : { 'net.sock.peer.addr': remoteAddress }),
    ...(bodyLength(context) > 0 ? { 'http.request_content_length': bodyLength(context) } : {}),
    'net.protocol.version': version,
    'user_agent.original': headers['user-agent'] ?? '',
    'audit-id': auditId,
  };
}

/** The attributes that are added when a request ends. */
export function responseAttributes(context: RequestContext, release: SpanRelease): Attributes {
  const { status, responseBytes } = context;
  if (!isSince(release, STABLE_HTTP)) {
    return {
      'http.status_code': status,
      ...(responseBytes > 0 ? { 'http.response_content_length': responseBytes } : {}),
    };
  }
  return {
    ...(bodyLength(context) > 0 ? { 'http.request.body.size': bodyLength(context) } : {}),
    ...(responseBytes > 0 ? { 'http.response.body.size': responseBytes } : {}),
    'http.response.status_code': status,
  };
}

/** The attributes with which the span of a call to another server begins. */
export function callAttributes(call: OutgoingCall, release: SpanRelease): Attributes {
  const { method, url, userAgent, requestBytes } = call;
  const { hostname = '', port = '' } = URL.parse(url) ?? {};
  if (isSince(release, STABLE_HTTP)) {
    return {
      ...{ 'http.request.method': method, 'url.full': url },
      ...serverAttributes(hostname, port),
      'network.protocol.version': '1.1',
    };
  }
  return {
    'http.method': method,
    'http.url': url,
    'net.peer.name': hostname,
    'net.peer.port': Number(port) || HTTPS_PORT,
    'user_agent.original': userAgent,
    ...(requestBytes === undefined ? {} : { 'http.request_content_length': requestBytes }),
  };
}

/** The attributes that are added when the other server has answered. */
export function calledAttributes(status: number, release: SpanRelease): Attributes {
  if (!isSince(release, STABLE_HTTP)) return { 'http.status_code': status };
  return { 'http.response.status_code': status, ...(status >= 400 ? { 'error.type': String(status) } : {}) };
}

/** The attributes of the span of a call to etcd. @param method such as `KV/Range` */
export function etcdAttributes(method: string, release: SpanRelease): Attributes {
  if (isSince(release, NEW_RPC)) return { 'rpc.method': `etcdserverpb.${method}`, 'rpc.system.name': 'grpc' };
  const [service = '', name = ''] = method.split('/');
  return { 'rpc.system': 'grpc', 'rpc.service': `etcdserverpb.${service}`, 'rpc.method': name };
}

/** The path of a request, without the query. */
export function pathOf({ exchange: { target } }: RequestContext): string {
  const question = target.indexOf('?');
  return question < 0 ? target : target.slice(0, question);
}

function bodyLength({ exchange }: RequestContext): number {
  return Number(exchange.headers['content-length'] ?? 0);
}

/** The port only if it is not the usual one. */
function serverAttributes(hostname: string, port: string): Attributes {
  return {
    ...(hostname === '' ? {} : { 'server.address': hostname }),
    ...(Number(port) > 0 ? { 'server.port': Number(port) } : {}),
  };
}
