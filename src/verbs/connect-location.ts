// The destination of a connect request to a node, a pod or a service. Looks up objects and decides, but opens no
// connection.

import { isMissing } from '../api/error-reasons.ts';
import { type ApiError, errors } from '../api/errors.ts';
import type { ApiObject, Json } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { isGlobalUnicast } from '../base/global-unicast.ts';
import { inTurns, mappingEach } from '../base/steps.ts';
import { isSince } from '../lifecycle/version.ts';
import type { Catalog } from '../resources/catalog.ts';
import { at, listAt, numberAt, textAt } from '../resources/value.ts';
import type { Selectable } from '../watchcache/types.ts';
import { type Registry, storageKey } from './registry.ts';
import type { ResourceRequest } from './resource-request.ts';
import { decodeStored } from './stored-form.ts';

export interface ConnectContext {
  readonly registry: Registry;
  readonly catalog: Pick<Catalog, 'find'>;
  /** Types of node addresses in order of preference. */
  readonly nodeAddressTypes: readonly string[];
}

export interface BackendLocation {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** Without query; '' for the bare host. */
  readonly path: string;
  /** Without `?`; undefined for the client's own query. */
  readonly query: string | undefined;
  /** Whether it is a kubelet, to which the server presents its client certificate. */
  readonly kubelet: boolean;
  /** Whether a kubelet is not verified, even if its CA is known. */
  readonly insecure?: boolean | undefined;
  /** Whether loopback, link-local and multicast addresses are forbidden, because clients choose the address. */
  readonly globalOnly: boolean;
  /** The expected identity of the backend and the server's own credentials; undefined if `kubelet` determines them. */
  readonly tls?: LocationTls | undefined;
}

interface LocationTls {
  readonly serverName: string;
  /** PEM; undefined for the system's authorities. */
  readonly ca: string | undefined;
  readonly verified: boolean;
  /** PEM of the server's client certificate. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** The port of kubelets that do not report one. */
const KUBELET_PORT = 10_250;

/**
 * Looks up objects that a request for another one needs.
 * @throws ApiError 404 with the request's own resource: as in kube-apiserver, clients see a pod in the message where
 *   a node is missing
 */
async function lookUp(
  { registry, catalog }: Pick<ConnectContext, 'registry' | 'catalog'>,
  request: ResourceRequest,
  { resource, namespace, name }: { resource: string; namespace: string; name: string },
): Promise<ApiObject> {
  const definition = catalog.find('', resource);
  const stored = definition && (await registry.storage(definition)).cache.get(storageKey(definition, namespace, name));
  const { group, resource: asked } = request.definition;
  if (stored === undefined) throw errors.notFound({ group, resource: asked, name });
  return decodeStored(stored);
}

/** The pod in the path. @throws ApiError 404 */
export function podOf(context: ConnectContext, request: ResourceRequest, name = request.name): Promise<ApiObject> {
  return lookUp(context, request, { resource: 'pods', namespace: request.namespace, name });
}

/** The kubelet of a node. @throws ApiError 404 without the node, 500 if it has no address */
export async function kubeletLocation(
  context: ConnectContext,
  request: ResourceRequest,
  node: string,
): Promise<BackendLocation> {
  const found = await lookUp(context, request, { resource: 'nodes', namespace: '', name: node });
  const addresses = listAt(found, 'status', 'addresses');
  const host = preferredAddress(addresses, context.nodeAddressTypes);
  if (host === undefined) {
    const known = addresses.map((each) => `{${textAt(each, 'type')} ${textAt(each, 'address')}}`);
    throw errors.unexplained(`no preferred addresses found; known addresses: [${known.join(' ')}]`);
  }
  const port = numberAt(found, 'status', 'daemonEndpoints', 'kubeletEndpoint', 'Port') || KUBELET_PORT;
  return { scheme: 'https', host, port, path: '', query: undefined, kubelet: true, globalOnly: false };
}

function preferredAddress(addresses: readonly Json[], types: readonly string[]): string | undefined {
  for (const type of types) {
    const found = addresses.find((each) => textAt(each, 'type') === type);
    if (found !== undefined) return textAt(found, 'address');
  }
  return undefined;
}

/** A name in a proxy's path: `name`, `name:port` or `scheme:name:port`. */
interface BackendName {
  readonly scheme: 'http' | 'https';
  readonly name: string;
  readonly port: string;
}

/** @param what singular name of the resource, for messages. @throws ApiError 400 */
function backendName(text: string, what: string): BackendName {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme)) {
    throw errors.badRequest(`invalid ${what} request ${JSON.stringify(text)}`);
  }
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port };
}

function proxied(location: Pick<BackendLocation, 'scheme' | 'host' | 'port' | 'path'>): BackendLocation {
  return { ...location, query: undefined, kubelet: false, globalOnly: true };
}

/**
 * nodes/proxy. A node reports its own address, so even its kubelet is not accepted on this machine: whoever may write a
 * node's status could otherwise reach local services. Host names are checked after they are resolved.
 * @param path after the subresource
 * @throws ApiError 400, 404 and 500
 */
export async function nodeProxyLocation(
  context: ConnectContext,
  request: ResourceRequest,
  path: string,
): Promise<BackendLocation> {
  const { scheme, name, port } = backendName(request.name, 'node');
  const kubelet = await kubeletLocation(context, request, name);
  if (isAddress(kubelet.host) && !isGlobalUnicast(kubelet.host)) throw addressNotAllowed();
  if (port === '' || port === String(kubelet.port)) return { ...kubelet, path, globalOnly: true };
  return proxied({ scheme, host: kubelet.host, port: portNumber(port, 'node', request), path });
}

/** pods/proxy. @param path after the subresource. @throws ApiError 400 and 404 */
export async function podProxyLocation(
  context: ConnectContext,
  request: ResourceRequest,
  path: string,
): Promise<BackendLocation> {
  const { scheme, name, port } = backendName(request.name, 'pod');
  const pod = await podOf(context, request, name);
  const host = textAt(pod, 'status', 'podIP');
  if (!isGlobalUnicast(host)) throw addressNotAllowed();
  if (port !== '') return proxied({ scheme, host, port: portNumber(port, 'pod', request), path });
  return proxied({ scheme, host, port: firstContainerPort(pod) ?? DEFAULT_PORTS[scheme], path });
}

const DEFAULT_PORTS = { http: 80, https: 443 };

function firstContainerPort(pod: ApiObject): number | undefined {
  const container = listAt(pod, 'spec', 'containers').find((each) => listAt(each, 'ports').length > 0);
  return container === undefined ? undefined : numberAt(listAt(container, 'ports')[0], 'containerPort');
}

/** services/proxy. @param path after the subresource. @throws ApiError 400, 404 and 503 */
export async function serviceProxyLocation(
  context: ConnectContext,
  request: ResourceRequest,
  path: string,
): Promise<BackendLocation> {
  const { scheme, name, port } = backendName(request.name, 'service');
  const portName = /^[+-]?\d+$/.test(port) ? await servicePortName(context, request, { name, port }) : port;
  if (isSince(request.definition, FINDS_SLICES)) {
    const place = await readyPlace(context, request, { name, portName });
    if (place === undefined) throw noEndpoints(name);
    return proxied({ scheme, ...place, path });
  }
  const { namespace } = request;
  const endpoints = await lookUp(context, request, { resource: 'endpoints', namespace, name });
  const subsets = listAt(endpoints, 'subsets');
  if (subsets.length === 0) throw noEndpoints(name);
  for (const subset of rotated(context, subsets)) {
    const found = listAt(subset, 'ports').find((each) => textAt(each, 'name') === portName);
    if (found === undefined) continue;
    for (const address of rotated(context, listAt(subset, 'addresses'))) {
      if (!(await isPodAddress(context, request, address))) continue;
      return proxied({ scheme, host: textAt(address, 'ip'), port: numberAt(found, 'port'), path });
    }
  }
  throw noEndpoints(request.name);
}

/** The first minor release of Kubernetes 1 that finds the pods of a service by EndpointSlices, and not by Endpoints. */
const FINDS_SLICES = 37;
const SERVICE_NAME = 'kubernetes.io/service-name';

function noEndpoints(service: string): ApiError {
  return errors.serviceUnavailable(`no endpoints available for service ${JSON.stringify(service)}`);
}

/** A ready endpoint of a service that is a pod, with the port of the name. */
async function readyPlace(
  context: ConnectContext,
  request: ResourceRequest,
  { name, portName }: { readonly name: string; readonly portName: string },
): Promise<Pick<BackendLocation, 'host' | 'port'> | undefined> {
  for (const slice of rotated(context, await slicesOf(context, request.namespace, name))) {
    for (const each of listAt(slice, 'ports')) {
      if (textAt(each, 'name') !== portName || numberAt(each, 'port') === 0) continue;
      for (const endpoint of rotated(context, listAt(slice, 'endpoints'))) {
        const host = String(listAt(endpoint, 'addresses')[0] ?? '');
        if (at(endpoint, 'conditions', 'ready') === false) continue;
        const target = { ip: host, targetRef: at(endpoint, 'targetRef') };
        const isOwn = textAt(endpoint, 'targetRef', 'namespace') === request.namespace;
        if (isOwn && (await isPodAddress(context, request, target))) return { host, port: numberAt(each, 'port') };
      }
    }
  }
  return undefined;
}

async function slicesOf({ registry, catalog }: ConnectContext, namespace: string, name: string): Promise<ApiObject[]> {
  const definition = catalog.find('discovery.k8s.io', 'endpointslices');
  if (definition === undefined) return [];
  const { cache } = await registry.storage(definition);
  const matches = ({ labels }: Selectable) => ownMember(labels, SERVICE_NAME) === name;
  const stored = cache.snapshot().objects({ namespace, name: undefined, matches });
  return inTurns(mappingEach(stored, decodeStored), registry.turns.begin({ taskName: `endpoints of ${name}` }));
}

/** Endpoints have the port names of the service. @throws ApiError 404 and 503 */
async function servicePortName(
  context: ConnectContext,
  request: ResourceRequest,
  { name, port }: { name: string; port: string },
): Promise<string> {
  const service = await lookUp(context, request, { resource: 'services', namespace: request.namespace, name });
  const found = listAt(service, 'spec', 'ports').find((each) => numberAt(each, 'port') === Number(port));
  if (found !== undefined) return textAt(found, 'name');
  throw errors.serviceUnavailable(`no service port ${Number(port)} found for service ${JSON.stringify(name)}`);
}

/** The items, starting at a random one, to balance the load. */
function rotated<T>({ registry }: ConnectContext, items: readonly T[]): T[] {
  if (items.length < 2) return [...items];
  const start = registry.random.below(items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}

/**
 * Whether an endpoint is the address of a pod according to the pod itself: permission to write endpoints must not let a
 * user make the server connect anywhere.
 */
async function isPodAddress(context: ConnectContext, request: ResourceRequest, address: Json): Promise<boolean> {
  const [kind, namespace, name] = ['kind', 'namespace', 'name'].map((member) => textAt(address, 'targetRef', member));
  const ip = textAt(address, 'ip');
  if (kind !== 'Pod' || !isGlobalUnicast(ip)) return false;
  try {
    const pod = await lookUp(context, request, { resource: 'pods', namespace: namespace ?? '', name: name ?? '' });
    return listAt(pod, 'status', 'podIPs').some((each) => textAt(each, 'ip') === ip);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isAddress(host: string): boolean {
  return host.includes(':') || /^[0-9.]+$/.test(host);
}

function portNumber(text: string, what: string, { name }: ResourceRequest): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port <= 65_535) return port;
  throw errors.badRequest(`invalid ${what} request ${JSON.stringify(name)}`);
}

/** An address that must not be connected to. */
function addressNotAllowed(): ApiError {
  return errors.badRequest('address not allowed');
}
