// Controller of load balancers, with a simulated cloud: each Service of type LoadBalancer gets an address of its own.
// Events, finalizer and status are those of Kubernetes' service controller with a cloud provider.

import { equalJson } from '../../api/json-equal.ts';
import type { JsonObject } from '../../api/object.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Service } from '../../resources/builtin/core/service/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Informer } from '../informer.ts';
import { keyOf, reconciler, splitKey } from '../reconciler.ts';

const ACCOUNT = 'service-controller';
const FINALIZER = 'service.kubernetes.io/load-balancer-cleanup';
/** The addresses: 10.198.0.1 to 10.198.255.254. */
const PREFIX = '10.198';
const ADDRESSES = 65_534;

interface LoadBalancers {
  readonly objects: ClusterObjects;
  readonly events: ClusterEvents;
  readonly services: Informer<Service>;
  readonly nodes: Informer<Node>;
  /** Keys of services by the addresses that they have. */
  readonly taken: Map<string, string>;
}

export function loadBalancerController(context: ClusterContext): Controller {
  const objects = new ClusterObjects(context, ACCOUNT);
  const events = new ClusterEvents(context, { component: ACCOUNT, as: ACCOUNT });
  return reconciler(context, {
    name: 'service-lb-controller',
    concurrency: 1,
    async begin(keys) {
      const services = await context.informers.open<Service>('', 'services');
      const nodes = await context.informers.open<Node>('', 'nodes');
      const taken = new Map<string, string>();
      services.follow({
        changed: (service, previous) => {
          for (const ip of addressesOf(service)) taken.set(ip, keyOf(service));
          if (isToBeRemoved(service) || needsLook(service, previous)) keys.add(keyOf(service));
        },
        removed: (service) => {
          for (const ip of addressesOf(service)) taken.delete(ip);
        },
      });
      return (key) => balance({ objects, events, services, nodes, taken }, key);
    },
  });
}

async function balance(balancers: LoadBalancers, key: string): Promise<undefined> {
  const { namespace, name } = splitKey(key);
  const service = balancers.services.get(namespace, name);
  if (service === undefined) return;
  if (!isWanted(service) || isToBeRemoved(service)) await release(balancers, service);
  else await ensure(balancers, service);
}

async function ensure({ objects, events, services, nodes, taken }: LoadBalancers, service: Service): Promise<void> {
  events.record(service, 'EnsuringLoadBalancer', 'Ensuring load balancer');
  if (service.metadata.finalizers?.includes(FINALIZER) !== true) {
    await objects.update<Service>(services, service, ({ metadata }) => {
      metadata.finalizers = [...(metadata.finalizers ?? []), FINALIZER];
      return true;
    });
  }
  if (nodes.size === 0) {
    events.warn(service, 'UnAvailableLoadBalancer', 'There are no available nodes for LoadBalancer');
  }
  const ip = service.spec?.loadBalancerIP || addressesOf(service)[0] || free(taken);
  if (ip === undefined) {
    const words = 'failed to ensure load balancer: all addresses are taken';
    events.warn(service, 'SyncLoadBalancerFailed', `Error syncing load balancer: ${words}`);
    throw new Error(words);
  }
  taken.set(ip, keyOf(service));
  events.record(service, 'EnsuredLoadBalancer', 'Ensured load balancer');
  await publish({ objects, services }, service, [{ ip, ipMode: 'VIP' }]);
}

async function release({ objects, events, services, taken }: LoadBalancers, service: Service): Promise<void> {
  const had = addressesOf(service);
  if (had.length > 0) events.record(service, 'DeletingLoadBalancer', 'Deleting load balancer');
  for (const ip of had) taken.delete(ip);
  if (service.metadata.deletionTimestamp === undefined) await publish({ objects, services }, service, []);
  await objects.update<Service>(services, service, ({ metadata }) => {
    const before = metadata.finalizers ?? [];
    metadata.finalizers = before.filter((each) => each !== FINALIZER);
    return metadata.finalizers.length !== before.length;
  });
  events.record(service, 'DeletedLoadBalancer', 'Deleted load balancer');
}

async function publish(
  { objects, services }: Pick<LoadBalancers, 'objects' | 'services'>,
  service: Service,
  ingress: readonly { ip: string; ipMode: string }[],
): Promise<void> {
  await objects.updateStatus<Service>(services, service, (draft) => {
    const before = draft.status?.loadBalancer?.ingress ?? [];
    if (equalJson(before as unknown as JsonObject[], ingress as unknown as JsonObject[])) return false;
    draft.status = { ...draft.status, loadBalancer: ingress.length === 0 ? {} : { ingress: [...ingress] } };
    return true;
  });
}

function isWanted({ spec }: Service): boolean {
  return spec?.type === 'LoadBalancer' && spec.loadBalancerClass === undefined;
}

/** Whether there is a load balancer that is no longer wanted. */
function isToBeRemoved({ metadata, spec }: Service): boolean {
  if (metadata.finalizers?.includes(FINALIZER) !== true) return false;
  return metadata.deletionTimestamp !== undefined || spec?.type !== 'LoadBalancer';
}

function needsLook(service: Service, previous: Service | undefined): boolean {
  if (previous === undefined) return isWanted(service);
  if (isWanted(previous) !== isWanted(service)) return true;
  return isWanted(service) && !equalJson(facts(previous), facts(service));
}

/** What a load balancer depends on. */
function facts({ metadata, spec }: Service): JsonObject {
  const { ports, sessionAffinity, sessionAffinityConfig, loadBalancerSourceRanges, loadBalancerIP } = spec ?? {};
  const { externalIPs, externalTrafficPolicy, healthCheckNodePort, ipFamilies } = spec ?? {};
  const addressing = { loadBalancerSourceRanges, loadBalancerIP, externalIPs, families: ipFamilies?.length };
  const traffic = { externalTrafficPolicy, healthCheckNodePort, sessionAffinity, sessionAffinityConfig };
  return { ports, ...addressing, ...traffic, annotations: metadata.annotations } as unknown as JsonObject;
}

function addressesOf({ status }: Service): string[] {
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip = '' }) => (ip === '' ? [] : [ip]));
}

function free(taken: ReadonlyMap<string, string>): string | undefined {
  for (let number = 1; number <= ADDRESSES; number++) {
    const ip = `${PREFIX}.${number >> 8}.${number & 0xff}`;
    if (!taken.has(ip)) return ip;
  }
  return undefined;
}
