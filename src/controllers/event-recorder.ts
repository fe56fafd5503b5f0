// Events that controllers write about objects, in the form of Kubernetes' own components.

import type { ApiObject } from '../api/object.ts';
import { timestamp } from '../api/timestamp.ts';
import type { User } from '../auth/user.ts';
import { ControlledObjects } from './controlled-objects.ts';
import type { ControllerContext } from './controller.ts';

/** The object that an event is about. */
type Involved = Pick<ApiObject, 'kind' | 'apiVersion' | 'metadata'>;

interface EventSource {
  /** The source of the events: `garbage-collector-controller`. */
  readonly component: string;
  /** Who writes them: a service account in kube-system, or another user. */
  readonly as: string | User;
  /** Determines the manager in managedFields; that of kube-controller-manager by default. */
  readonly userAgent?: string;
}

export class EventRecorder {
  readonly #context: ControllerContext;
  readonly #component: string;
  readonly #objects: ControlledObjects;

  constructor(context: ControllerContext, { component, as, userAgent }: EventSource) {
    this.#context = context;
    this.#component = component;
    this.#objects = new ControlledObjects(context, as, userAgent);
  }

  /**
   * Writes an event of the type Warning, in the namespace of its object, or in `default` for cluster-scoped objects. An
   * event that cannot be written is logged: what it reports must not depend on it.
   */
  async warn({ kind, apiVersion, metadata }: Involved, reason: string, message: string): Promise<void> {
    const { catalog, clock, log } = this.#context;
    const definition = catalog.find('', 'events');
    if (definition === undefined) return;
    const { namespace = '', name = '', uid, resourceVersion } = metadata;
    const now = clock.now();
    const time = timestamp(now);
    const event = {
      // Nanoseconds since the Unix epoch, as clients of Kubernetes name their events.
      metadata: {
        name: `${name}.${(BigInt(Math.round(now * 1000)) * 1000n).toString(16)}`,
        namespace: namespace || 'default',
      },
      involvedObject: { kind, ...(namespace === '' ? {} : { namespace }), name, uid, apiVersion, resourceVersion },
      reason,
      message,
      source: { component: this.#component },
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
      type: 'Warning',
      reportingComponent: this.#component,
    };
    try {
      await this.#objects.create(definition, event as unknown as ApiObject);
    } catch (error) {
      log.warn('an event could not be written', { reason, namespace, name, error });
    }
  }
}
