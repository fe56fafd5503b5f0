// Target of a request that connects to a node, a pod or a service. Looks objects up and decides; opens nothing.

import { ApiError, errors } from '../api/errors.ts';
import type { ApiObject, Json } from '../api/object.ts';
import { isGlobalUnicast } from '../base/global-unicast.ts';
import type { Catalog } from '../resources/catalog.ts';
import { listAt, numberAt, textAt } from '../resources/value.ts';
import { type Registry, storageKey } from './registry.ts';
import type { ResourceRequest } from './resource-request.ts';
import { decodeStored } from './stored-form.ts';

export interface ConnectContext {
  readonly registry: Registry;
  readonly catalog: Pick<Catalog, 'find'>;
  /** Types of a node's addresses, the one to use first first. */
  readonly nodeAddressTypes: readonly string[];
}

export interface BackendLocation {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** Without query; '' where nothing stands behind the host. */
  readonly path: string;
  /** Without `?`; undefined: the client's own. */
  readonly query: string | undefined;
  /** Whether it is a kubelet, which the server shows its certificate to. */
  readonly kubelet: boolean;
  /** Whether this machine, its link and groups of machines are out of bounds: what clients choose themselves. */
  readonly globalOnly: boolean;
  /** Whom the backend has to prove to be, and what it is shown; undefined where `kubelet` says all. */
  readonly tls?: LocationTls | undefined;
}

interface LocationTls {
  readonly serverName: string;
  /** PEM; undefined: the authorities of the system. */
  readonly ca: string | undefined;
  readonly verified: boolean;
  /** PEM of what this server shows. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** The port of kubelets that report none. */
const KUBELET_PORT = 10_250;

/**
 * Looks up what a request for something else needs.
 * @throws ApiError 404 that names the request's own resource: in kube-apiserver the resource of a lookup is the
 *   request's, so clients see a pod where a node is missing
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

/** The pod that the request names. @throws ApiError 404 */
export function podOf(context: ConnectContext, request: ResourceRequest, name = request.name): Promise<ApiObject> {
  return lookUp(context, request, { resource: 'pods', namespace: request.namespace, name });
}

/** The kubelet of a node. @throws ApiError 404 without the node, 500 when it has no address */
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

/** @param what the singular resource, for messages. @throws ApiError 400 */
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
 * nodes/proxy. A node says itself what its address is, so even its kubelet is not looked for on this machine: whoever
 * may write a node's status would reach what listens here. Names are checked when they are looked up.
 * @param path behind the subresource
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

/** pods/proxy. @param path behind the subresource. @throws ApiError 400 and 404 */
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

/** services/proxy. @param path behind the subresource. @throws ApiError 400, 404 and 503 */
export async function serviceProxyLocation(
  context: ConnectContext,
  request: ResourceRequest,
  path: string,
): Promise<BackendLocation> {
  const { scheme, name, port } = backendName(request.name, 'service');
  const portName = /^[+-]?\d+$/.test(port) ? await servicePortName(context, request, { name, port }) : port;
  const { namespace } = request;
  const endpoints = await lookUp(context, request, { resource: 'endpoints', namespace, name });
  const subsets = listAt(endpoints, 'subsets');
  const unavailable = (what: string) =>
    errors.serviceUnavailable(`no endpoints available for service ${JSON.stringify(what)}`);
  if (subsets.length === 0) throw unavailable(name);
  for (const subset of rotated(context, subsets)) {
    const found = listAt(subset, 'ports').find((each) => textAt(each, 'name') === portName);
    if (found === undefined) continue;
    for (const address of rotated(context, listAt(subset, 'addresses'))) {
      if (!(await isPodAddress(context, request, address))) continue;
      return proxied({ scheme, host: textAt(address, 'ip'), port: numberAt(found, 'port'), path });
    }
  }
  throw unavailable(request.name);
}

/** Endpoints name their ports as the service does. @throws ApiError 404 and 503 */
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

/** The items, beginning anywhere: backends share the load. */
function rotated<T>({ registry }: ConnectContext, items: readonly T[]): T[] {
  if (items.length < 2) return [...items];
  const start = registry.random.below(items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}

/** Whether an endpoint is a pod that says so itself: who may write endpoints may not send the server anywhere. */
async function isPodAddress(context: ConnectContext, request: ResourceRequest, address: Json): Promise<boolean> {
  const [kind, namespace, name] = ['kind', 'namespace', 'name'].map((member) => textAt(address, 'targetRef', member));
  const ip = textAt(address, 'ip');
  if (kind !== 'Pod' || !isGlobalUnicast(ip)) return false;
  try {
    const pod = await lookUp(context, request, { resource: 'pods', namespace: namespace ?? '', name: name ?? '' });
    return listAt(pod, 'status', 'podIPs').some((each) => textAt(each, 'ip') === ip);
  } catch (error) {
    if (error instanceof ApiError && error.code === 404) return false;
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

/** An address that one does not go on to. */
function addressNotAllowed(): ApiError {
  return errors.badRequest('address not allowed');
}
