// Interface of a controller: a loop of the server's own that watches objects and makes changes follow from them. The
// server starts those that are selected and stops them before its store closes.

import type { ApiObject } from '../api/object.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { WriteContext } from '../verbs/write.ts';
import type { WorkQueueContext } from './work-queue.ts';

export interface Controller {
  /** As kube-controller-manager names it: `namespace-controller`. */
  readonly name: string;
  /** Begins to work; resolves when it hears of all that concerns it. Rejects when it can't, and then does nothing. */
  start(): Promise<void>;
  /** Takes up nothing more and resolves when what was begun has ended. */
  stop(): Promise<void>;
}

/** What controllers work with. */
export interface ControllerContext extends WorkQueueContext {
  readonly catalog: Catalog;
  readonly writes: WriteContext;
}

/** Whether an object is on its way out. */
export function isDeleting({ metadata }: ApiObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}
