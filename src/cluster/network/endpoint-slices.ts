// Controller of EndpointSlices: the addresses and ports of the pods behind each service.

import { isIPv6 } from 'node:net';
import { isEnding } from '../../api/error-reasons.ts';
import { equalJson } from '../../api/json-equal.ts';
import type { Draft } from '../../api/object.ts';
import { messageOf } from '../../base/error-message.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { Service } from '../../resources/builtin/core/service/objects.ts';
import type { Endpoint, EndpointPort, EndpointSlice } from '../../resources/builtin/discovery/v1-objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Index, Informer } from '../informer.ts';
import { controlledBy, controllerOf } from '../owners.ts';
import { isReady } from '../pod-facts.ts';
import { type Keys, keyOf, reconciler, splitKey } from '../reconciler.ts';
import { changedAtMs, HEADLESS, isHeadless, publishedHostname, ServicePods, targetPort } from './service-pods.ts';
import type { EndpointGroup } from './slice-plan.ts';
import { SliceWriter } from './slice-writer.ts';
import { type HintNotice, TopologyHints } from './topology-hints.ts';
import { zoneOf } from './zone-shares.ts';

const ACCOUNT = 'endpointslice-controller';
const MANAGED_BY = 'endpointslice-controller.k8s.io';
const SERVICE_NAME = 'kubernetes.io/service-name';
const MANAGER_LABEL = 'endpointslice.kubernetes.io/managed-by';
const RESERVED = new Set([SERVICE_NAME, MANAGER_LABEL, HEADLESS]);

export function endpointSliceController(context: ClusterContext): Controller {
  return reconciler(context, {
    name: 'endpointslice-controller',
    begin: (keys) => new EndpointSlices(context).begin(keys),
  });
}

class EndpointSlices {
  readonly #context: ClusterContext;
  readonly #objects: ClusterObjects;
  readonly #events: ClusterEvents;
  /** The latest change that was written, by key of the service. */
  readonly #written = new Map<string, number>();
  #services!: Informer<Service>;
  #servicePods!: ServicePods;
  #nodes!: Informer<Node>;
  #slices!: Informer<EndpointSlice>;
  #slicesOf!: Index<EndpointSlice>;
  #topology!: TopologyHints;

  constructor(context: ClusterContext) {
    this.#context = context;
    this.#objects = new ClusterObjects(context, ACCOUNT);
    this.#events = new ClusterEvents(context, { component: 'endpoint-slice-controller', as: ACCOUNT });
  }

  async begin(keys: Keys): Promise<(key: string) => Promise<undefined>> {
    const { informers } = this.#context;
    this.#services = await informers.open<Service>('', 'services');
    this.#nodes = await informers.open<Node>('', 'nodes');
    this.#slices = await informers.open<EndpointSlice>('discovery.k8s.io', 'endpointslices');
    this.#slicesOf = this.#slices.index((slice) => (isOurs(slice) ? [keyOfService(slice)] : []));
    this.#servicePods = new ServicePods(this.#services, await informers.open<Pod>('', 'pods'));
    this.#servicePods.follow(keys);
    const ofSlice = (slice: EndpointSlice) => isOurs(slice) && keys.add(keyOfService(slice));
    this.#slices.follow({
      changed: (slice, previous) => {
        if (previous !== undefined && keyOfService(previous) !== keyOfService(slice)) ofSlice(previous);
        ofSlice(slice);
      },
      removed: ofSlice,
    });
    this.#topology = new TopologyHints(this.#nodes, (key) => keys.add(key));
    this.#nodes.follow({
      changed: (node, previous) => {
        if (previous !== undefined && zoneOf(previous) === zoneOf(node)) return;
        for (const service of this.#services.list()) keys.add(keyOf(service));
      },
    });
    return (key) => this.#reconcile(key);
  }

  async #reconcile(key: string): Promise<undefined> {
    const { namespace, name } = splitKey(key);
    const service = this.#services.get(namespace, name);
    if (service === undefined) this.#forget(key);
    if (service?.spec?.selector === undefined || service.spec.type === 'ExternalName') return;
    const pods = this.#servicePods.of(service);
    const existing = this.#slicesOf.get(key);
    const changedMs = changedAtMs(service, pods);
    const notices: HintNotice[] = [];
    const writer = new SliceWriter({
      ...{ slices: this.#slices, objects: this.#objects },
      metadata: () => metadataOf(service),
      isStale: (slice) => !equalJson(slice.metadata.labels ?? {}, labelsOf(service)),
      changedMs: this.#written.get(key) === changedMs ? undefined : changedMs,
      hint: (plan, type) => {
        const { plan: hinted, notice } = this.#topology.hinted(service, type, plan);
        if (notice !== undefined) notices.push(notice);
        return hinted;
      },
    });
    const types = addressTypes(service);
    try {
      for (const type of types) {
        const slices = existing.filter((slice) => slice.addressType === type && isOwned(slice, service));
        if (await writer.write(type, this.#groupsOf(service, pods, type), slices)) this.#written.set(key, changedMs);
      }
      for (const notice of notices) this.#tell(service, notice);
      for (const slice of existing) {
        const { addressType = '' } = slice;
        const isOfType = types.includes(addressType);
        if (!isOfType) this.#topology.forget(key, addressType);
        if (!isOfType || !isOwned(slice, service)) await this.#objects.delete(this.#slices, slice);
      }
    } catch (error) {
      if (isEnding(error)) return;
      const words = `Error updating Endpoint Slices for Service ${key}: ${messageOf(error)}`;
      this.#events.warn(service, 'FailedToUpdateEndpointSlices', words);
      throw error;
    }
  }

  #forget(key: string): void {
    this.#written.delete(key);
    this.#topology.forget(key);
  }

  #tell(service: Service, { isEnabled, message }: HintNotice): void {
    if (isEnabled) this.#events.record(service, 'TopologyAwareHintsEnabled', message);
    else this.#events.warn(service, 'TopologyAwareHintsDisabled', message);
  }

  #groupsOf(service: Service, pods: readonly Pod[], type: string): EndpointGroup[] {
    const groups = new Map<string, { ports: EndpointPort[]; endpoints: Endpoint[] }>();
    for (const pod of pods) {
      const { nodeName = '' } = pod.spec ?? {};
      const node = this.#nodes.get('', nodeName);
      if (node === undefined && service.spec?.publishNotReadyAddresses !== true) continue;
      const addresses = (pod.status?.podIPs ?? [])
        .map(({ ip = '' }) => ip)
        .filter((ip) => isIPv6(ip) === (type === 'IPv6'));
      if (addresses.length === 0) continue;
      const ports = portsOf(service, pod);
      const key = JSON.stringify(ports);
      const group = groups.get(key) ?? { ports, endpoints: [] };
      group.endpoints.push(endpointOf(service, pod, { addresses, zone: node && zoneOf(node) }));
      groups.set(key, group);
    }
    return [...groups.values()];
  }
}

function isOurs({ metadata }: EndpointSlice): boolean {
  return metadata.labels?.[MANAGER_LABEL] === MANAGED_BY;
}

/** The key of the Service, or of the Endpoints, that a slice belongs to. */
export function keyOfService({ metadata }: EndpointSlice): string {
  return `${metadata.namespace}/${metadata.labels?.[SERVICE_NAME]}`;
}

function isOwned(slice: EndpointSlice, { metadata }: Service): boolean {
  return controllerOf(slice)?.uid === metadata.uid;
}

function addressTypes({ spec }: Service): string[] {
  const families = spec?.ipFamilies ?? [];
  if (families.length > 0) return [...families];
  const { clusterIP = '' } = spec ?? {};
  if (clusterIP === '' || clusterIP === 'None') return ['IPv4', 'IPv6'];
  return [isIPv6(clusterIP) ? 'IPv6' : 'IPv4'];
}

function labelsOf(service: Service): Record<string, string> {
  const own = Object.entries(service.metadata.labels ?? {}).filter(([name]) => !RESERVED.has(name));
  return {
    ...Object.fromEntries(own),
    ...(isHeadless(service) ? { [HEADLESS]: '' } : {}),
    [SERVICE_NAME]: service.metadata.name ?? '',
    [MANAGER_LABEL]: MANAGED_BY,
  };
}

function metadataOf(service: Service): Draft<EndpointSlice>['metadata'] {
  const { name = '', namespace = '' } = service.metadata;
  return { generateName: `${name}-`, namespace, labels: labelsOf(service), ownerReferences: [controlledBy(service)] };
}

function portsOf({ spec }: Service, pod: Pod): EndpointPort[] {
  return (spec?.ports ?? []).flatMap((port) => {
    const number = targetPort(pod, port);
    if (number === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = port;
    return [{ name, protocol, port: number, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

function endpointOf(
  service: Service,
  pod: Pod,
  { addresses, zone }: { readonly addresses: readonly string[]; readonly zone: string | undefined },
): Endpoint {
  const serving = isReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const hostname = publishedHostname(pod, service);
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const nodeName = pod.spec?.nodeName ?? '';
  return {
    addresses,
    conditions: {
      ready: service.spec?.publishNotReadyAddresses === true || (serving && !terminating),
      serving,
      terminating,
    },
    ...(hostname === undefined ? {} : { hostname }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(nodeName === '' ? {} : { nodeName }),
    ...(zone === undefined || zone === '' ? {} : { zone }),
  };
}
