// Names and attributes of spans, as kube-apiserver gives them.

import type { Attributes } from '@opentelemetry/api';
import { apiVersionOf, qualified } from '../../api/group-version.ts';
import { lookup } from '../../base/lookup.ts';
import { verbOf } from '../../http/filters/request-counts.ts';
import type { RequestContext } from '../../http/request-context.ts';
import type { RequestInfo } from '../../http/request-info.ts';
import { storageKey } from '../../verbs/registry.ts';
import { pathOf } from './call-attributes.ts';

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

/** The span of the verb; undefined for long-running requests, and for those that did not reach an API handler. */
export function verbSpan(
  context: RequestContext,
): { readonly name: string; readonly attributes: Attributes } | undefined {
  const { info, counted, longRunning } = context;
  const name = VERBS[info.verb];
  if (counted !== 'resource' || longRunning !== undefined || name === undefined) return undefined;
  return { name, attributes: verbAttributes(context) };
}

/** Of the span of a verb. */
export function verbAttributes(context: RequestContext): Attributes {
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
    url: pathOf(context),
    'user-agent': exchange.headers['user-agent'] ?? '',
    verb: verbOf(context),
  };
}

/** Of the response's span. */
export function answerAttributes(context: RequestContext, contentType: string): Attributes {
  return {
    ...shownAttributes(context),
    mediaType: contentType.split(';', 1)[0]!,
    encoder: encoderOf(context, contentType),
  };
}

/** Of the span of the initial events of a watch. */
export function watchAttributes(context: RequestContext, contentType: string): Attributes {
  const encoder = encoderOf(context, contentType, 'raw-');
  return { ...shownAttributes(context), mediaType: contentType, encoder };
}

function shownAttributes(context: RequestContext): Attributes {
  const { exchange, auditId } = context;
  return { 'audit-id': auditId, method: exchange.method, url: pathOf(context), protocol: exchange.protocol };
}

/**
 * Goes by the name that kube-apiserver's encoder of versions has for itself.
 *
 * @param prefix of protobuf without an envelope, in watches
 */
function encoderOf({ info }: RequestContext, contentType: string, prefix = ''): string {
  const { group, version } = info;
  const found = /protobuf|yaml|cbor/.exec(contentType)?.[0] ?? 'json';
  const encoder = found === 'protobuf' ? prefix + found : found;
  return JSON.stringify({ encodeGV: apiVersionOf({ group, version }), encoder, name: 'versioning' });
}

/** Of the span of a write to etcd. */
export function writeAttributes(context: RequestContext, key: string = keyOf(context)): Attributes {
  const { info, auditId } = context;
  return {
    'audit-id': auditId,
    key: shortKey(key),
    type: internalType(context),
    resource: groupResource(info),
  };
}

/** Of the span of a read from the watch cache, or of a watch. */
export function cacheAttributes({ info, auditId }: RequestContext): Attributes {
  return { 'audit-id': auditId, type: groupResource(info) };
}

function groupResource({ group, resource }: RequestInfo): string {
  return qualified(resource, group);
}

/** Of the span of an object's read from etcd. */
export function etcdReadAttributes(context: RequestContext): Attributes {
  const { info, auditId } = context;
  return { 'audit-id': auditId, key: shortKey(keyOf(context)), group: info.group, resource: info.resource };
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

/** A create concerns a single object, whatever its path. */
function scopeOf({ name, namespace, verb }: RequestInfo): string {
  if (name !== '' || verb === 'create') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}
