// Controller of the ServiceCIDR `kubernetes`, which stands for the ranges of --service-cluster-ip-range: it is created
// again when it is gone, extended when a single-stack cluster becomes dual-stack, and becomes ready if its ranges are
// those of the server.

import { equalJson } from '../api/json-equal.ts';
import type { ApiObject, Json } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import { at, listAt } from '../resources/value.ts';
import { defaultServiceCidr, SERVICE_CIDR_CONTROLLER, SERVICE_CIDR_READY } from '../verbs/services/default-cidr.ts';
import { ServiceRanges } from '../verbs/services/service-ranges.ts';
import { ControlledObjects, type ObjectPlace } from './controlled-objects.ts';
import { type Controller, type ControllerContext, isDeleting } from './controller.ts';
import { EventRecorder } from './event-recorder.ts';
import { EVERYTHING, ObjectWatch } from './object-watch.ts';
import { WorkQueue } from './work-queue.ts';

const NAME = 'kubernetes';
const SERVER = { name: 'system:apiserver', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };

export class DefaultServiceCidr implements Controller {
  readonly name = SERVICE_CIDR_CONTROLLER;
  readonly #context: ControllerContext;
  readonly #cidrs: readonly string[];
  readonly #objects: ControlledObjects;
  readonly #events: EventRecorder;
  readonly #queue: WorkQueue<string>;
  #watch: ObjectWatch | undefined;
  /** What has been reported, once each. */
  readonly #reported = new Set<string>();

  /** @param cidrs the server's ranges, that of the default family first */
  constructor(context: ControllerContext, cidrs: readonly string[]) {
    this.#context = context;
    this.#cidrs = new ServiceRanges(cidrs).own.map(String);
    this.#objects = new ControlledObjects(context, SERVER, 'kube-apiserver');
    this.#events = new EventRecorder(context, { component: this.name, as: SERVER, userAgent: 'kube-apiserver' });
    this.#queue = new WorkQueue({ name: this.name, context, concurrency: 1, work: () => this.#settle() });
  }

  async start(): Promise<void> {
    const definition = this.#place?.definition;
    if (definition === undefined) return;
    const { cache } = await this.#context.writes.registry.storage(definition);
    const settle = () => this.#queue.add(NAME);
    const follower = { changed: settle, removed: settle, synced: settle };
    this.#watch = new ObjectWatch(cache, follower, { ...EVERYTHING, name: NAME });
    this.#queue.start();
  }

  async stop(): Promise<void> {
    this.#watch?.close();
    await this.#queue.stop();
  }

  /** Undefined if addresses are not allocated by ServiceCIDRs, or these are not served. */
  get #place(): ObjectPlace | undefined {
    const { catalog, writes } = this.#context;
    if (!writes.registry.gateEnabled('MultiCIDRServiceAllocator')) return undefined;
    const definition = catalog.find('networking.k8s.io', 'servicecidrs');
    return definition && { definition, namespace: '', name: NAME };
  }

  async #settle(): Promise<undefined> {
    const place = this.#place;
    if (place === undefined) return;
    const stored = await this.#objects.read(place);
    if (stored === undefined) return this.#create(place);
    const cidrs = listAt(stored, 'spec', 'cidrs');
    if (this.#cidrs.length === 2 && cidrs.length === 1 && cidrs[0] === this.#cidrs[0])
      return this.#extend(place, stored);
    return this.#settleStatus(place, stored);
  }

  async #create({ definition }: ObjectPlace): Promise<undefined> {
    await this.#objects.create(definition, defaultServiceCidr(this.#cidrs));
  }

  async #extend(place: ObjectPlace, stored: ApiObject): Promise<undefined> {
    const cidrs = [...this.#cidrs];
    try {
      await this.#objects.change(place, (current) => {
        current.spec = { ...(current.spec as object), cidrs };
        return true;
      });
    } catch (error) {
      const why = `The default ServiceCIDR can not be upgraded from ${cidrs[0]} to dual stack [${cidrs.join(' ')}] : ${(error as Error).message}`;
      await this.#report(stored, 'KubernetesDefaultServiceCIDRError', why);
    }
  }

  async #settleStatus(place: ObjectPlace, stored: ApiObject): Promise<undefined> {
    // A deletion is up to the controller that waits for the last address.
    if (isDeleting(stored)) return;
    const cidrs = listAt(stored, 'spec', 'cidrs');
    if (!equalJson([...cidrs], [...this.#cidrs])) {
      const why = `The default ServiceCIDR [${cidrs.join(' ')}] does not match the controller flag configurations [${this.#cidrs.join(' ')}]`;
      return this.#report(stored, 'KubernetesDefaultServiceCIDRInconsistent', why);
    }
    const ready = listAt(stored, 'status', 'conditions').find((each) => at(each, 'type') === 'Ready') as
      | Json
      | undefined;
    const status = at(ready, 'status') ?? 'Unknown';
    if (status === 'False') {
      const why = `Configuration matches, but ${at(ready, 'message') ?? ''}`;
      return this.#report(stored, String(at(ready, 'reason') ?? ''), why);
    }
    if (status === 'True') return;
    const lastTransitionTime = timestamp(this.#context.clock.now());
    const condition = { ...SERVICE_CIDR_READY, lastTransitionTime };
    await this.#objects.apply(
      place,
      { status: { conditions: [condition] } },
      { manager: this.name, subresource: 'status' },
    );
  }

  /** Writes an event, once for each reason. */
  async #report(about: ApiObject, reason: string, message: string): Promise<undefined> {
    if (this.#reported.has(reason)) return;
    this.#reported.add(reason);
    await this.#events.warn(about, reason, message);
  }
}
