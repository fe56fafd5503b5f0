// Repair of the IPAddress objects of services, as by kube-apiserver: a service that another program stored, or whose
// IPAddress was deleted, gets one for each of its addresses, and addresses of services that are gone are freed. Every
// server does it.

import type { ApiObject } from '../api/object.ts';
import type { IPAddress } from '../resources/builtin/networking/v1-objects.ts';
import { parseIp } from '../resources/validation/ip-addresses.ts';
import type { StoredObject } from '../verbs/resource-request.ts';
import { isManagedAddress, newAddress } from '../verbs/services/address-objects.ts';
import { addressesOf } from '../verbs/services/service-claims.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { EventRecorder } from './event-recorder.ts';
import { ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

const SERVER = { name: 'system:apiserver', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };
/** How long an IPAddress may exist before its service does. Kubernetes' value. */
const GRACE_MS = 60_000;

export class ServiceAddressRepair implements Controller {
  readonly name = 'service-ip-repair-controller';
  readonly #context: ControllerContext;
  readonly #objects: ControlledObjects;
  readonly #events: EventRecorder;
  /** Services as `namespace/name`, IPAddresses as `/name`. */
  readonly #queue: WorkQueue<string>;
  #watches: readonly ObjectWatch[] = [];

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#objects = new ControlledObjects(context, SERVER, 'kube-apiserver');
    const source = { component: 'ipallocator-repair-controller', as: SERVER, userAgent: 'kube-apiserver' };
    this.#events = new EventRecorder(context, source);
    this.#queue = new WorkQueue({ name: this.name, context, concurrency: 1, work: (key) => this.#repair(key) });
  }

  async start(): Promise<void> {
    const { catalog, writes } = this.#context;
    const [services, addresses] = [catalog.find('', 'services'), catalog.find('networking.k8s.io', 'ipaddresses')];
    const { registry } = writes;
    if (services === undefined || addresses === undefined) return;
    if (!registry.gateEnabled('MultiCIDRServiceAllocator')) return;
    const [ofServices, ofAddresses] = [await registry.storage(services), await registry.storage(addresses)];
    const look = ({ namespace, name }: { namespace: string; name: string }) => this.#queue.add(`${namespace}/${name}`);
    this.#watches = [
      new ObjectWatch(ofServices.cache, { changed: look, removed: (stored) => this.#freeLater(stored) }),
      new ObjectWatch(ofAddresses.cache, {
        changed: look,
        removed: (stored) => this.#queue.add(parentKey(decodeStored(stored))),
      }),
    ];
    this.#queue.start();
  }

  async stop(): Promise<void> {
    for (const watch of this.#watches) watch.close();
    await this.#queue.stop();
  }

  /** The server that deleted a service frees its addresses; this finds those that it did not live to free. */
  #freeLater(stored: StoredObject): void {
    for (const address of addressesOf(decodeStored(stored))) this.#queue.addAfter(`/${address}`, GRACE_MS);
  }

  #place(resource: 'services' | 'ipaddresses', namespace: string, name: string): ObjectPlace {
    const definition = this.#context.catalog.find(resource === 'services' ? '' : 'networking.k8s.io', resource);
    if (definition === undefined) throw new Error(`${resource} are not served any more`);
    return { definition, namespace, name };
  }

  async #repair(key: string): Promise<number | undefined> {
    const slash = key.indexOf('/');
    const [namespace, name] = [key.slice(0, slash), key.slice(slash + 1)];
    if (namespace === '') return this.#repairAddress(name);
    const service = await this.#objects.read(this.#place('services', namespace, name));
    if (service !== undefined) for (const address of addressesOf(service)) await this.#repairService(service, address);
    return undefined;
  }

  /** Creates the IPAddress of a service if there is none, or one of a service that is gone. */
  async #repairService(service: ApiObject, address: string): Promise<void> {
    const place = this.#place('ipaddresses', '', address);
    const stored = await this.#objects.read(place);
    const { namespace = '', name = '' } = service.metadata;
    const key = `${namespace}/${name}`;
    const label = `[${parseIp(address)?.family ?? ''}]: ${address}`;
    if (stored === undefined) {
      await this.#events.warn(service, 'ClusterIPNotAllocated', `Cluster IP ${label} is not allocated; repairing`);
    } else {
      if (parentKey(stored) === key || (await this.#hasAddress(parentKey(stored), address))) return;
      const why = `the ClusterIP ${label} for Service ${key} has a wrong reference; repairing`;
      await this.#events.warn(service, 'ClusterIPNotAllocated', why);
      await this.#objects.delete(place, { preconditions: { uid: stored.metadata.uid } });
    }
    await this.#objects.create(place.definition, newAddress(address, { namespace, name }));
  }

  /** Removes an IPAddress whose service is gone or never came to be. */
  async #repairAddress(address: string): Promise<number | undefined> {
    const place = this.#place('ipaddresses', '', address);
    const stored = await this.#objects.read(place);
    if (stored === undefined || !isManagedAddress(stored)) return undefined;
    const key = parentKey(stored);
    if (await this.#hasAddress(key, address)) return undefined;
    const ageMs = this.#context.clock.now() - Date.parse(stored.metadata.creationTimestamp ?? '');
    if (ageMs < GRACE_MS) return GRACE_MS - ageMs;
    const why = `IPAddress: ${address} for Service ${key} appears to have leaked: cleaning up`;
    await this.#events.warn(stored, 'IPAddressNotAllocated', why);
    await this.#objects.delete(place, { preconditions: { uid: stored.metadata.uid } });
    return undefined;
  }

  async #hasAddress(key: string, address: string): Promise<boolean> {
    const slash = key.indexOf('/');
    const service = await this.#objects.read(this.#place('services', key.slice(0, slash), key.slice(slash + 1)));
    return service !== undefined && addressesOf(service).includes(address);
  }
}

/** The service that an IPAddress belongs to: `namespace/name`. */
function parentKey(address: ApiObject): string {
  const { namespace = '', name = '' } = (address as IPAddress).spec?.parentRef ?? {};
  return `${namespace}/${name}`;
}
