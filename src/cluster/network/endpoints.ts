// Controller of Endpoints: the content of EndpointSlices in one object for each service, for clients that still read it.

import { isEnding } from '../../api/error-reasons.ts';
import { equalJson } from '../../api/json-equal.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { Draft } from '../../api/object.ts';
import { messageOf } from '../../base/error-message.ts';
import type { Controller } from '../../controllers/controller.ts';
import type {
  EndpointAddress,
  EndpointPort,
  EndpointSubset,
  Endpoints,
} from '../../resources/builtin/core/endpoints/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { Service } from '../../resources/builtin/core/service/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Informer } from '../informer.ts';
import { isReady } from '../pod-facts.ts';
import { keyOf, reconciler, splitKey } from '../reconciler.ts';
import {
  changedAtMs,
  HEADLESS,
  isHeadless,
  publishedHostname,
  ServicePods,
  TRIGGER_TIME,
  targetPort,
} from './service-pods.ts';

const ACCOUNT = 'endpoint-controller';
const MANAGER_LABEL = 'endpoints.kubernetes.io/managed-by';
const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';
/** What a leader election leaves in an object that it uses as a lock. */
const LEADER = 'control-plane.alpha.kubernetes.io/leader';
/** Addresses of one object. */
const MOST = 1000;

export function endpointsController(context: ClusterContext): Controller {
  const objects = new ClusterObjects(context, ACCOUNT);
  const events = new ClusterEvents(context, { component: ACCOUNT, as: ACCOUNT });
  const written = new Map<string, number>();
  return reconciler(context, {
    name: 'endpoints-controller',
    async begin(keys) {
      const services = await context.informers.open<Service>('', 'services');
      const pods = await context.informers.open<Pod>('', 'pods');
      const all = await context.informers.open<Endpoints>('', 'endpoints');
      const servicePods = new ServicePods(services, pods);
      servicePods.follow(keys);
      // Endpoints without a service stay if they never had one, but not beyond the start of the controller.
      const leftover = new Set<string>();
      for (const each of all.list()) {
        if (each.metadata.annotations?.[LEADER] !== undefined) continue;
        leftover.add(keyOf(each));
        keys.add(keyOf(each));
      }
      services.follow({ changed: () => {}, removed: (each) => leftover.add(keyOf(each)) });
      // What others write to them stays until their service or its pods change.
      all.follow({ changed: () => {}, removed: (each) => keys.add(keyOf(each)) });
      return (key) => reconcile({ services, servicePods, all, objects, events, written, leftover }, key);
    },
  });
}

interface Needs {
  readonly services: Informer<Service>;
  readonly servicePods: ServicePods;
  readonly all: Informer<Endpoints>;
  readonly objects: ClusterObjects;
  readonly events: ClusterEvents;
  /** The latest change that was written, by key. */
  readonly written: Map<string, number>;
  /** Those that are to go if they have no service, by key. */
  readonly leftover: Set<string>;
}

async function reconcile(needs: Needs, key: string): Promise<undefined> {
  const { services, servicePods, all, objects, events, written, leftover } = needs;
  const { namespace, name } = splitKey(key);
  const service = services.get(namespace, name);
  const standing = all.get(namespace, name);
  if (service === undefined) {
    written.delete(key);
    if (standing !== undefined && leftover.has(key)) await objects.delete(all, standing);
    leftover.delete(key);
    return;
  }
  leftover.delete(key);
  if (service.spec?.selector === undefined || service.spec.type === 'ExternalName') return;
  const chosen = servicePods.of(service);
  const { subsets, isCut } = subsetsOf(service, chosen);
  const isSame =
    standing !== undefined &&
    equalJson(standing.subsets ?? [], subsets) &&
    standing.metadata.labels?.[MANAGER_LABEL] === ACCOUNT &&
    equalJson(ownLabels(standing.metadata.labels), ownLabels(service.metadata.labels)) &&
    (standing.metadata.annotations?.[OVER_CAPACITY] === 'truncated') === isCut;
  if (isSame) return;
  const changedMs = changedAtMs(service, chosen);
  const fill = (draft: Draft<Endpoints>) => {
    draft.metadata.labels = labelsOf(service);
    const annotations = { ...draft.metadata.annotations };
    delete annotations[TRIGGER_TIME];
    delete annotations[OVER_CAPACITY];
    if (written.get(key) !== changedMs)
      annotations[TRIGGER_TIME] = new Date(changedMs).toISOString().replace('.000Z', 'Z');
    if (isCut) annotations[OVER_CAPACITY] = 'truncated';
    if (Object.keys(annotations).length === 0) delete draft.metadata.annotations;
    else draft.metadata.annotations = annotations;
    draft.subsets = copyJson(subsets) as NonNullable<Draft<Endpoints>['subsets']>;
    return true;
  };
  try {
    if (standing === undefined) {
      const draft: Draft<Endpoints> = { metadata: { name, namespace } };
      fill(draft);
      await objects.create<Endpoints>(all, draft);
    } else await objects.update<Endpoints>(all, standing, fill);
    written.set(key, changedMs);
  } catch (error) {
    if (isEnding(error)) return;
    const [reason, what] =
      standing === undefined
        ? ['FailedToCreateEndpoint', 'create endpoint for service']
        : ['FailedToUpdateEndpoint', 'update endpoint'];
    events.warn(standing ?? service, reason!, `Failed to ${what} ${key}: ${messageOf(error)}`);
    throw error;
  }
}

function ownLabels(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { [HEADLESS]: _, [MANAGER_LABEL]: __, ...own } = labels;
  return own;
}

function labelsOf(service: Service): Record<string, string> {
  const labels = { ...ownLabels(service.metadata.labels), [MANAGER_LABEL]: ACCOUNT };
  return isHeadless(service) ? { ...labels, [HEADLESS]: '' } : labels;
}

/** Addresses by the ports at which they are reached; ready ones apart from others. */
function subsetsOf(
  service: Service,
  pods: readonly Pod[],
): { readonly subsets: EndpointSubset[]; readonly isCut: boolean } {
  const publishesAll = service.spec?.publishNotReadyAddresses === true;
  const byPorts = new Map<string, { ports: EndpointPort[]; ready: EndpointAddress[]; others: EndpointAddress[] }>();
  let count = 0;
  let isCut = false;
  for (const pod of pods) {
    if (!publishesAll && pod.metadata.deletionTimestamp !== undefined) continue;
    const address = addressOf(service, pod);
    const ports = portsOf(service, pod);
    if (address === undefined || ports === undefined) continue;
    if (++count > MOST) {
      isCut = true;
      break;
    }
    const key = JSON.stringify(ports);
    const subset = byPorts.get(key) ?? { ports, ready: [], others: [] };
    if (publishesAll || isReady(pod)) subset.ready.push(address);
    else subset.others.push(address);
    byPorts.set(key, subset);
  }
  const subsets = Array.from(byPorts.values(), ({ ports, ready, others }) => ({
    ...(ready.length === 0 ? {} : { addresses: ready.sort(byAddress) }),
    ...(others.length === 0 ? {} : { notReadyAddresses: others.sort(byAddress) }),
    ...(ports.length === 0 ? {} : { ports }),
  }));
  return { subsets, isCut };
}

function byAddress({ ip: one = '' }: EndpointAddress, { ip: other = '' }: EndpointAddress): number {
  return one < other ? -1 : Number(one > other);
}

function addressOf(service: Service, pod: Pod): EndpointAddress | undefined {
  const isV6 = (ip: string) => ip.includes(':');
  const wanted = service.spec?.ipFamilies?.[0] ?? (isV6(service.spec?.clusterIP ?? '') ? 'IPv6' : 'IPv4');
  const ips = (pod.status?.podIPs ?? [{ ip: pod.status?.podIP ?? '' }]).map(({ ip = '' }) => ip);
  const ip = ips.find((each) => isV6(each) === (wanted === 'IPv6'));
  if (ip === undefined || ip === '') return undefined;
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const hostname = publishedHostname(pod, service);
  const { nodeName = '' } = pod.spec ?? {};
  return {
    ip,
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === '' ? {} : { nodeName }),
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}

/** Undefined if the pod offers none of the ports; a headless service needs none. */
function portsOf(service: Service, pod: Pod): EndpointPort[] | undefined {
  const wanted = service.spec?.ports ?? [];
  if (wanted.length === 0) return service.spec?.clusterIP === 'None' ? [] : undefined;
  const ports = wanted.flatMap((port) => {
    const number = targetPort(pod, port);
    if (number === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = port;
    return [
      {
        ...(name === '' ? {} : { name }),
        port: number,
        protocol,
        ...(appProtocol === undefined ? {} : { appProtocol }),
      },
    ];
  });
  return ports.length === 0 ? undefined : ports.sort((one, other) => one.port - other.port);
}
