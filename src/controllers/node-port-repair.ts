// Repair of the node ports that servers on one store share: ports of services are taken, and those that a server took
// for a service it did not live to store are freed, as kube-apiserver does. Each server does it.

import type { Timer } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { inTurns, mappingEach } from '../base/steps.ts';
import type { PortRange } from '../verbs/services/node-ports.ts';
import { nodePortsOf } from '../verbs/services/service-claims.ts';
import { SharedPorts } from '../verbs/services/shared-ports.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import type { Controller, ControllerContext } from './controller.ts';

const EVERY_SERVICE = { namespace: undefined, name: undefined, matches: undefined };

export class NodePortRepair implements Controller {
  readonly name = 'service-nodeport-repair-controller';
  readonly #context: ControllerContext;
  readonly #ports: SharedPorts;
  readonly #leaks = new Map<number, number>();
  #timer: Timer | undefined;
  #round: Promise<void> | undefined;
  #stopped = false;

  constructor(context: ControllerContext, nodePorts: PortRange) {
    this.#context = context;
    this.#ports = new SharedPorts(context.writes.registry.store, nodePorts);
  }

  async start(): Promise<void> {
    const { clock, log } = this.#context;
    this.#round = this.#ports
      .repair(() => this.#stored(), this.#leaks)
      .catch((error: unknown) =>
        log.warn('the node ports of services could not be repaired', { error: String(error) }),
      );
    await this.#round;
    if (!this.#stopped) this.#timer = clock.after(limits.portRepairMs, () => void this.start());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#round;
  }

  /** The node ports of the services that are stored now. */
  async #stored(): Promise<number[]> {
    const { catalog, writes } = this.#context;
    const services = catalog.find('', 'services');
    if (services === undefined) return [];
    const { cache, store } = await writes.registry.storage(services);
    await store.catchUp?.();
    const reading = mappingEach(cache.snapshot().objects(EVERY_SERVICE), (each) => nodePortsOf(decodeStored(each)));
    return (await inTurns(reading, writes.registry.turns.begin({ taskName: 'node ports of services' }))).flat();
  }
}
