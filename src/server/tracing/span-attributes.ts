// Names and attributes of spans, as kube-apiserver gives them.

import type { Attributes } from '@opentelemetry/api';
import type { OutgoingCall } from '../../api/call-trace.ts';
import { apiVersionOf } from '../../api/group-version.ts';
import { lookup } from '../../base/lookup.ts';
import { verbOf } from '../../http/filters/request-counts.ts';
import type { RequestContext } from '../../http/request-context.ts';
import type { RequestInfo } from '../../http/request-info.ts';
import { storageKey } from '../../verbs/registry.ts';

const VERBS: Readonly<Record<string, string>> = lookup({
  get: 'Get',
  list: 'List',
  create: 'Create',
  update: 'Update',
  patch: 'Patch',
  delete: 'Delete',
  deletecollection: 'Delete',
});

/** `GET /api/v1/namespaces/{:namespace}/configmaps/{:name}`; only the method for non-resource requests. */
export function spanName({ exchange, info }: RequestContext): string {
  if (!info.isResource) return exchange.method;
  const { group, version, namespace, resource, name, subresource } = info;
  const parts = [group === '' ? `/api/${version}` : `/apis/${group}/${version}`];
  // A namespace is in itself.
  if (namespace !== '') parts.push('namespaces/{:namespace}');
  parts.push(resource);
  if (name !== '') parts.push('{:name}');
  if (subresource !== '') parts.push(subresource);
  return `${exchange.method} ${parts.join('/')}`;
}

export function requestAttributes({ exchange, auditId }: RequestContext): Attributes {
  const { headers, protocol, remoteAddress } = exchange;
  const { hostname = '', port = '' } = URL.parse(`https://${headers['host'] ?? ''}`) ?? {};
  const length = Number(headers['content-length'] ?? 0);
  return {
    'http.method': exchange.method,
    'http.scheme': 'https',
    'http.target': exchange.target,
    ...(hostname === '' ? {} : { 'net.host.name': hostname, 'net.host.port': Number(port) || 443 }),
    ...(remoteAddress === '' ? {} : { 'net.sock.peer.addr': remoteAddress }),
    ...(length > 0 ? { 'http.request_content_length': length } : {}),
    'net.protocol.version': protocol.split('/')[1] ?? '',
    'user_agent.original': headers['user-agent'] ?? '',
    'audit-id': auditId,
  };
}

/** The span of the verb; undefined for long-running requests, and for those that did not reach an API handler. */
export function verbSpan(
  context: RequestContext,
): { readonly name: string; readonly attributes: Attributes } | undefined {
  const { info, counted, longRunning } = context;
  const name = VERBS[info.verb];
  if (counted !== 'resource' || longRunning !== undefined || name === undefined) return undefined;
  return { name, attributes: verbAttributes(context) };
}

function verbAttributes(context: RequestContext): Attributes {
  const { exchange, info, auditId } = context;
  return {
    accept: exchange.headers.accept ?? '',
    'audit-id': auditId,
    client: exchange.remoteAddress,
    'api-group': info.group,
    'api-version': info.version,
    name: info.name,
    namespace: info.namespace,
    subresource: info.subresource,
    protocol: exchange.protocol,
    resource: info.resource,
    scope: scopeOf(info),
    url: pathOf(exchange),
    'user-agent': exchange.headers['user-agent'] ?? '',
    verb: verbOf(context),
  };
}

/** Of the response's span. */
export function answerAttributes({ exchange, auditId, info }: RequestContext, contentType: string): Attributes {
  return {
    'audit-id': auditId,
    method: exchange.method,
    url: pathOf(exchange),
    protocol: exchange.protocol,
    mediaType: contentType.split(';', 1)[0]!,
    encoder: encoderOf(info, contentType),
  };
}

/** Goes by the name that kube-apiserver's encoder of versions has for itself. */
function encoderOf({ group, version }: RequestInfo, contentType: string): string {
  const encoder = /protobuf|yaml|cbor/.exec(contentType)?.[0] ?? 'json';
  return JSON.stringify({ encodeGV: apiVersionOf({ group, version }), encoder, name: 'versioning' });
}

/** Of the span of a write to etcd. */
export function writeAttributes(context: RequestContext, key: string = keyOf(context)): Attributes {
  const { info, auditId } = context;
  return {
    'audit-id': auditId,
    key: shortKey(key),
    type: internalType(context),
    resource: info.group === '' ? info.resource : `${info.resource}.${info.group}`,
  };
}

/** Of the span of an object's read. */
export function readAttributes(context: RequestContext): Attributes {
  const { query, auditId } = context;
  return {
    'audit-id': auditId,
    key: shortKey(keyOf(context)),
    'resource-version': query.text('resourceVersion') ?? '',
  };
}

export function etcdAttributes(method: string): Attributes {
  const [service = '', name = ''] = method.split('/');
  return { 'rpc.system': 'grpc', 'rpc.service': `etcdserverpb.${service}`, 'rpc.method': name };
}

/** The key of the requested object. */
function keyOf({ info, services }: RequestContext): string {
  const found = services.catalog.lookup(info.group, info.version, info.resource);
  return found === undefined ? '' : storageKey(found.definition, info.namespace, info.name);
}

/** Without the prefix of all keys. */
function shortKey(key: string): string {
  return key.replace(/^\/registry\//, '/');
}

/** The Go type of a kind. */
function internalType({ info, services }: RequestContext): string {
  const definition = services.catalog.lookup(info.group, info.version, info.resource)?.definition;
  if (definition === undefined || definition.custom) return '*unstructured.Unstructured';
  return `*${info.group === '' ? 'core' : info.group.split('.')[0]}.${definition.kind}`;
}

export function callAttributes({ method, url, userAgent, requestBytes }: OutgoingCall): Attributes {
  const { hostname = '', port = '' } = URL.parse(url) ?? {};
  return {
    'http.method': method,
    'http.url': url,
    'net.peer.name': hostname,
    'net.peer.port': Number(port) || 443,
    'user_agent.original': userAgent,
    ...(requestBytes === undefined ? {} : { 'http.request_content_length': requestBytes }),
  };
}

/** Without the query. */
function pathOf({ target }: RequestContext['exchange']): string {
  const question = target.indexOf('?');
  return question < 0 ? target : target.slice(0, question);
}

/** A create concerns a single object, whatever its path. */
function scopeOf({ name, namespace, verb }: RequestInfo): string {
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}
