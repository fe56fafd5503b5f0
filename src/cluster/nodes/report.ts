// Events about a pod and its containers, collected during a look at it and sent after its status has been written.

import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ClusterEvents } from '../event-recorder.ts';
import type { PodContainer } from './container-kinds.ts';

export class Report {
  readonly #events: ClusterEvents;
  readonly #pod: Pod;
  readonly #waiting: (() => void)[] = [];

  constructor(events: ClusterEvents, pod: Pod) {
    this.#events = events;
    this.#pod = pod;
  }

  /** Adds an event of the type Normal. */
  tell(about: PodContainer | undefined, reason: string, message: string): void {
    this.#waiting.push(() => this.#events.record(this.#about(about), reason, message));
  }

  /** Adds an event of the type Warning. */
  warn(about: PodContainer | undefined, reason: string, message: string): void {
    this.#waiting.push(() => this.#events.warn(this.#about(about), reason, message));
  }

  send(): void {
    for (const send of this.#waiting.splice(0)) send();
  }

  #about(container: PodContainer | undefined) {
    return container === undefined ? this.#pod : { ...this.#pod, fieldPath: container.fieldPath };
  }
}
