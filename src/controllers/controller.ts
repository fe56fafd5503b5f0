// Interface of a controller: a loop inside the server that watches objects and reconciles others. The server starts
// selected controllers, and stops them before its store closes.

import type { ApiObject } from '../api/object.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { WriteContext } from '../verbs/write.ts';
import type { WorkQueueContext } from './work-queue.ts';

export interface Controller {
  /** As named by kube-controller-manager: `namespace-controller`. */
  readonly name: string;
  /** Starts; resolves once it watches everything it needs. Rejects if that fails, and then does nothing. */
  start(): Promise<void>;
  /** Stops; resolves when work in progress has ended. */
  stop(): Promise<void>;
}

/** Dependencies of controllers. */
export interface ControllerContext extends WorkQueueContext {
  readonly catalog: Catalog;
  readonly writes: WriteContext;
}

/** Whether an object is being deleted. */
export function isDeleting({ metadata }: Pick<ApiObject, 'metadata'>): boolean {
  return metadata.deletionTimestamp !== undefined;
}
