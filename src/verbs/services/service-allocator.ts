// Allocator of cluster IPs and node ports for Services. What is allocated follows from the stored services
// (service-claims.ts); each address also has an IPAddress object.

import { ApiError, errors, type FieldError, fieldError } from '../../api/errors.ts';
import { copyJson } from '../../api/json-writer.ts';
import { pathSegmentFaults } from '../../api/names.ts';
import type { ApiObject, Json } from '../../api/object.ts';
import { timestamp } from '../../api/timestamp.ts';
import { limits } from '../../base/limits.ts';
import type { AllocationScope, AllocatorMetrics, AllocatorUse } from '../../lifecycle/allocator-metrics.ts';
import { isSince } from '../../lifecycle/version.ts';
import { alignAddresses, keepAllocated, settleFamilies } from '../../resources/builtin/core/service/families.ts';
import {
  isHeadless,
  needsAddresses,
  needsHealthCheckPort,
  needsNodePorts,
  serviceSpec,
} from '../../resources/builtin/core/service/service-type.ts';
import { builtinResources } from '../../resources/builtin/resources.ts';
import type { Catalog } from '../../resources/catalog.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';
import { faultErrors } from '../../resources/validation/field-rules.ts';
import { formatIp, type IpFamily, parseIp } from '../../resources/validation/ip-addresses.ts';
import type { AllocationRequest, Allocator, Reservation } from '../allocation.ts';
import { trackMaking } from '../ownership.ts';
import { type Registry, storageKey } from '../registry.ts';
import { inReleaseWords } from '../release-errors.ts';
import { decodeStored } from '../stored-form.ts';
import { storeNew } from '../write-object.ts';
import { AddressObjects } from './address-objects.ts';
import type { AddressRange } from './address-range.ts';
import { defaultServiceCidr, SERVICE_CIDR_CONTROLLER, SERVICE_CIDR_READY } from './default-cidr.ts';
import { allocateNodePorts, type PortClaims, type PortRange, PortTaking } from './node-ports.ts';
import { addressesOf, nodePortsOf, ServiceClaims } from './service-claims.ts';
import { ServiceRanges } from './service-ranges.ts';
import { SharedPorts } from './shared-ports.ts';

interface ServiceAllocatorOptions {
  readonly registry: Registry;
  readonly catalog: Catalog;
  /** CIDR blocks, that of the default family first, at most one per family. */
  readonly ranges: readonly string[];
  readonly nodePorts: PortRange;
  readonly metrics: AllocatorMetrics;
}

const ALLOCATED = 'provided IP is already allocated';
const FULL = 'failed to allocate a serviceIP: range is full';
/** The first minor release that gives up when an IPAddress is refused, instead of trying the next one. */
const TRIES_ONCE = 35;
const ADDRESS_KIND = { group: 'networking.k8s.io', kind: 'IPAddress' };

/** Why an address cannot be attributed to this service: it is allocated before the service's name is validated. */
function parentFaults({ metadata: { name = '' } }: ApiObject): FieldError[] {
  const field = 'spec.parentRef.name';
  return name === '' ? [fieldError.required(field)] : faultErrors(pathSegmentFaults(name), name, field);
}

/** Also if IPAddresses are not served: servers that share a store use these objects to coordinate. */
function addressDefinition(catalog: Catalog): ResourceDefinition {
  const [group, resource] = ['networking.k8s.io', 'ipaddresses'];
  const served = catalog.find(group, resource);
  return served ?? builtinResources.find((each) => each.group === group && each.resource === resource)!;
}

/** Starts allocating addresses and ports; resolves once all existing allocations are known. */
export async function startServiceAllocator(options: ServiceAllocatorOptions): Promise<void> {
  const services = options.catalog.find('', 'services');
  if (services === undefined) return;
  const allocator = new ServiceAllocator(options, services, addressDefinition(options.catalog));
  await allocator.start();
  options.metrics.follow(allocator);
  options.registry.allocations.add(services, allocator);
}

class ServiceAllocator implements Allocator, AllocatorUse {
  readonly #options: ServiceAllocatorOptions;
  readonly #services: ResourceDefinition;
  readonly #ranges: ServiceRanges;
  readonly #claims = new ServiceClaims();
  readonly #objects: AddressObjects;
  /** Allocations of all servers on one store; undefined if this one is alone. */
  readonly #sharedPorts: SharedPorts | undefined;

  constructor(options: ServiceAllocatorOptions, services: ResourceDefinition, addresses: ResourceDefinition) {
    this.#options = options;
    this.#services = services;
    this.#ranges = new ServiceRanges(options.ranges);
    const store = options.registry.storeOf(services);
    this.#sharedPorts = store.catchUp && new SharedPorts(options.registry.store, options.nodePorts);
    this.#objects = new AddressObjects(options.registry, addresses, (address, namespace, name) =>
      this.#isHeld(address, namespace, name),
    );
  }

  addresses(): { cidr: string; allocated: number; available: number }[] {
    return this.#ranges.all().map((range) => {
      let allocated = 0;
      for (const address of this.#claims.addresses()) if (range.holds(address)) allocated++;
      return { cidr: String(range), allocated, available: range.size - allocated };
    });
  }

  ports(): { allocated: number; available: number } {
    const { first, last } = this.#options.nodePorts;
    const allocated = this.#claims.ports;
    return { allocated, available: Math.max(0, last - first + 1 - allocated) };
  }

  /** Loads existing allocations, and repairs IPAddress objects. */
  async start(): Promise<void> {
    const { cache } = await this.#options.registry.storage(this.#services);
    this.#claims.follow(cache);
    await this.#publishRanges();
    await this.#objects.freeLeft();
    const everything = { namespace: undefined, name: undefined, matches: undefined };
    const ports: number[] = [];
    for (const stored of cache.snapshot().objects(everything)) {
      const service = decodeStored(stored);
      ports.push(...nodePortsOf(service));
      for (const address of addressesOf(service)) {
        if (!(await this.#objects.exists(address))) await this.#objects.claim(address, service);
      }
    }
    if (ports.length > 0) await this.#sharedPorts?.ensure(ports);
  }

  async allocate({ next, previous, dryRun }: AllocationRequest): Promise<Reservation | undefined> {
    if (previous !== undefined) keepAllocated(next, previous);
    alignAddresses(next, previous);
    const families = this.#ranges.own.map(({ family }) => family);
    refuse(this.#services, next, settleFamilies(next, previous, families));
    const { registry } = this.#options;
    const given: string[] = [];
    let ports: readonly number[] = [];
    const undo = async () => {
      this.#claims.letGo([...given, ...ports]);
      await Promise.all(given.map((address) => this.#objects.free(address, next)));
      if (ports.length > 0) await this.#sharedPorts?.free(ports);
    };
    try {
      await this.#giveAddresses({ next, previous, dryRun }, given);
      ports = await this.#givePorts({ next, previous, dryRun });
    } catch (error) {
      if (!dryRun) await undo();
      throw error;
    }
    if (dryRun) return undefined;
    return {
      keep: async () => {
        // Until the cache shows the service, the claims of the write stand for it.
        const { cache } = await registry.storage(this.#services);
        await cache.waitFor(Number(next.metadata.resourceVersion), limits.freshnessWaitMs);
        this.#claims.letGo([...given, ...ports]);
        if (previous === undefined) return;
        const kept = addressesOf(next);
        const left = addressesOf(previous).filter((address) => !kept.includes(address));
        await Promise.all(left.map((address) => this.#objects.free(address, previous)));
        const keptPorts = nodePortsOf(next);
        const leftPorts = nodePortsOf(previous).filter((port) => !keptPorts.includes(port));
        if (leftPorts.length > 0) await this.#sharedPorts?.free(leftPorts);
      },
      undo,
    };
  }

  async release(service: ApiObject): Promise<void> {
    await Promise.all(addressesOf(service).map((address) => this.#objects.free(address, service)));
    const ports = nodePortsOf(service);
    if (ports.length > 0) await this.#sharedPorts?.free(ports);
  }

  /** Allocates the node ports of the service; returns those that it did not have before. */
  async #givePorts({ next, previous, dryRun }: AllocationRequest): Promise<readonly number[]> {
    const shared = this.#sharedPorts;
    if (shared === undefined || dryRun || !mayTakePorts(next)) {
      const ports = this.#takePorts({ next, previous, dryRun }, this.#claims);
      ports.count();
      return [...ports.taken];
    }
    const { spec } = copyJson(next);
    for (let attempt = 0; attempt <= limits.sharedPortAttempts; attempt++) {
      const taken = await shared.read();
      const isFree = (port: number) => !shared.has(taken, port) && this.#claims.isFree(port);
      const ports = this.#takePorts(
        { next, previous, dryRun },
        { isFree, take: (port) => isFree(port) && this.#claims.take(port) },
      );
      if (ports.taken.size === 0 || (await shared.take(taken, ports.taken))) {
        ports.count();
        return [...ports.taken];
      }
      this.#claims.letGo([...ports.taken]);
      next['spec'] = copyJson(spec) as Json;
    }
    throw errors.internal('failed to allocate a nodePort: the allocation is changed all the time');
  }

  #takePorts({ next, previous, dryRun }: AllocationRequest, claims: PortClaims): PortTaking {
    const { registry, nodePorts, metrics } = this.#options;
    const ports = new PortTaking(claims, nodePorts, { random: registry.random, dryRun, metrics });
    try {
      refuse(this.#services, next, allocateNodePorts(next, previous, ports));
    } catch (error) {
      if (!dryRun) this.#claims.letGo([...ports.taken]);
      throw error;
    }
    return ports;
  }

  /** Allocates an address for each family that the service lacks; new ones are added to `given`. */
  async #giveAddresses({ next, previous, dryRun }: AllocationRequest, given: string[]): Promise<void> {
    const spec = serviceSpec(next);
    if (spec === undefined || !needsAddresses(spec) || isHeadless(spec)) return;
    const { clusterIPs = [], ipFamilies = [] } = spec;
    // Errors name an address for each family.
    const asked = [...clusterIPs, ...ipFamilies.slice(clusterIPs.length).map(() => '')];
    const hadAddresses = previous !== undefined && needsAddresses(serviceSpec(previous));
    const settled = hadAddresses ? (serviceSpec(previous)?.clusterIPs ?? []).length : 0;
    // A service created through its status has none, and stays without while it has a type that requires one.
    if (hadAddresses && settled === 0) return;
    const addresses = [...clusterIPs];
    for (const [index, family] of ipFamilies.entries()) {
      const wanted = clusterIPs[index];
      // Keeps its addresses; validation reports that they were changed.
      if (index < settled && wanted !== undefined) continue;
      if (!this.#ranges.own.some((each) => each.family === family)) continue;
      const giving = { next, asked, family: family as IpFamily, dryRun, given };
      addresses[index] =
        wanted === undefined || wanted === '' ? await this.#giveAny(giving) : await this.#give(wanted, giving);
    }
    if (addresses.length === 0) return;
    spec.clusterIPs = addresses;
    spec.clusterIP = addresses[0] as string;
  }

  /** @throws ApiError 422 if the address is out of range or taken */
  async #give(text: string, { next, asked, family, dryRun, given }: Giving): Promise<string> {
    const ranges = this.#ranges.of(family);
    const address = parseIp(text);
    const fault = (why: string) =>
      refusal(this.#services, next, [
        fieldError.invalid('spec.clusterIPs', asked, `failed to allocate IP ${text}: ${why}`),
      ]);
    const range = address && ranges.find((each) => each.holds(address));
    if (address === undefined || range === undefined) {
      // A dry run checks a single range and names it.
      const named = `the provided IP (${text}) is not in the valid range. The range of valid IPs is ${ranges[0] ?? ''}`;
      throw fault(dryRun || !this.#hasObjects ? named : 'the provided network does not match the current range');
    }
    if (dryRun) return text;
    const canonical = formatIp(address);
    const unnamed = this.#hasObjects ? parentFaults(next) : [];
    if (unnamed.length > 0) throw fault(errors.invalid({ ...ADDRESS_KIND, name: canonical }, unnamed).message);
    const measured = this.#measured();
    if (this.#claims.take(canonical)) {
      given.push(canonical);
      if (await this.#objects.claim(canonical, next)) {
        measured.gave(range, 'static');
        return text;
      }
    }
    this.#options.metrics.refusedAddress(String(range), 'static');
    throw fault(ALLOCATED);
  }

  /** @throws ApiError 500 if all ranges are full */
  async #giveAny(giving: Giving): Promise<string> {
    const { next, family, dryRun, given } = giving;
    const ranges = this.#ranges.of(family);
    if (dryRun) return (ranges[0] ?? this.#ranges.own.find((range) => range.family === family)!).base;
    const faults = this.#hasObjects ? parentFaults(next) : [];
    if (faults.length > 0) throw this.#unattributed(faults, giving, ranges);
    const refused = new Set<string>();
    const measured = this.#measured();
    for (;;) {
      const isFree = (each: string) => !refused.has(each) && this.#claims.isFree(each);
      const { random } = this.#options.registry;
      const found = firstFree(ranges, (range) => range.next(random, isFree));
      if (found === undefined) {
        for (const range of ranges) this.#options.metrics.refusedAddress(String(range), 'dynamic');
        throw errors.internal(FULL);
      }
      const { address, range } = found;
      this.#claims.take(address);
      if (await this.#objects.claim(address, next)) {
        measured.gave(range, 'dynamic');
        given.push(address);
        return address;
      }
      // A client created an IPAddress for it.
      this.#claims.letGo([address]);
      refused.add(address);
    }
  }

  /** Why a service that an IPAddress cannot refer to gets no address, in the words of the release. */
  #unattributed(faults: readonly FieldError[], { next, asked }: Giving, ranges: readonly AddressRange[]): ApiError {
    const { registry } = this.#options;
    const found = firstFree(ranges, (range) => range.next(registry.random, (each) => this.#claims.isFree(each)));
    const tried = isSince(this.#services, TRIES_ONCE) || !registry.gateEnabled('DisableAllocatorDualWrite');
    // Where one address after another is tried, none is left at the end.
    if (found === undefined || !tried) return errors.internal(FULL);
    const why = errors.invalid({ ...ADDRESS_KIND, name: found.address }, faults).message;
    if (!isSince(this.#services, TRIES_ONCE)) return errors.internal(`failed to allocate a serviceIP: ${why}`);
    return refusal(this.#services, next, [
      fieldError.invalid('spec.clusterIPs', asked, `failed to allocate IP: ${why}`),
    ]);
  }

  /** Whether clients see IPAddress objects: otherwise their references need not be valid. */
  get #hasObjects(): boolean {
    return this.#options.registry.gateEnabled('MultiCIDRServiceAllocator');
  }

  /** Records the duration of an allocation. */
  #measured() {
    const { metrics, registry } = this.#options;
    const startMs = registry.clock.now();
    return {
      gave: (range: AddressRange, scope: AllocationScope) =>
        metrics.gaveAddress(String(range), scope, (registry.clock.now() - startMs) / 1000),
    };
  }

  async #isHeld(address: string, namespace: string, name: string): Promise<boolean> {
    const { cache } = await this.#options.registry.storage(this.#services);
    const stored = cache.get(storageKey(this.#services, namespace, name));
    return stored !== undefined && addressesOf(decodeStored(stored)).includes(address);
  }

  /** Creates the ServiceCIDR of the server's own ranges, which clients can read; others may be added to it. */
  async #publishRanges(): Promise<void> {
    const { registry, catalog } = this.#options;
    const definition = catalog.find('networking.k8s.io', 'servicecidrs');
    if (definition === undefined || !this.#hasObjects) return;
    const { cache } = await registry.storage(definition);
    this.#ranges.follow(cache);
    if (cache.get(storageKey(definition, '', 'kubernetes')) !== undefined) return;
    const now = timestamp(registry.clock.now());
    const condition = { ...SERVICE_CIDR_READY, lastTransitionTime: now };
    const { metadata, spec } = defaultServiceCidr(this.#ranges.own.map(String));
    const object: ApiObject = {
      metadata: { ...metadata, uid: registry.random.uuid(), creationTimestamp: now },
      spec: spec!,
      status: { conditions: [{ ...condition, reason: '' }] },
    };
    trackMaking(registry, definition, {
      object,
      said: { spec: spec! },
      statusManager: SERVICE_CIDR_CONTROLLER,
      status: { conditions: [condition] },
    });
    try {
      await storeNew(registry, { definition }, { object, dryRun: false });
    } catch (error) {
      // Another server on the same store started at the same time.
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
    }
  }
}

function firstFree(
  ranges: readonly AddressRange[],
  next: (range: AddressRange) => string | undefined,
): { readonly address: string; readonly range: AddressRange } | undefined {
  for (const range of ranges) {
    const address = next(range);
    if (address !== undefined) return { address, range };
  }
  return undefined;
}

/** Whether the type of the service has node ports. */
function mayTakePorts(service: ApiObject): boolean {
  const spec = serviceSpec(service);
  return needsNodePorts(spec) || needsHealthCheckPort(spec);
}

interface Giving {
  readonly next: ApiObject;
  /** The addresses in the request. */
  readonly asked: readonly string[];
  readonly family: IpFamily;
  readonly dryRun: boolean;
  readonly given: string[];
}

function refusal(services: ResourceDefinition, service: ApiObject, found: readonly FieldError[]): ApiError {
  const place = { group: '', kind: 'Service', name: service.metadata.name ?? '' };
  return errors.invalid(place, inReleaseWords(found, services));
}

function refuse(services: ResourceDefinition, service: ApiObject, found: readonly FieldError[]): void {
  if (found.length > 0) throw refusal(services, service, found);
}
