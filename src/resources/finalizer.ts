// The finalizers that keep an object that is in use from going. Kubernetes adds them in admission.

import type { ApiObject } from '../api/object.ts';

/** Adds a finalizer unless the object has it. */
export function addFinalizer({ metadata }: ApiObject, finalizer: string): void {
  const finalizers = metadata.finalizers ?? [];
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
}
