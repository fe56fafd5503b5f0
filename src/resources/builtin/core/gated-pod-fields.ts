// Fields of containers that are dropped without a word as long as their feature gate is off, where the field alone
// does not tell: it depends on its value or on what is left beside it.

import type { JsonObject } from '../../../api/object.ts';
import type { BehaviourContext } from '../../definition.ts';
import { objectAt, objectsAt } from '../../fill-in.ts';

export function dropGatedFields(spec: JsonObject, { gateEnabled }: BehaviourContext): void {
  if (!gateEnabled('ContainerRestartRules')) dropRestartPolicies(spec);
  if (!gateEnabled('ContainerStopSignals')) {
    for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
      for (const container of objectsAt(spec, list)) dropStopSignal(container);
    }
  }
}

/** Without rules of its own a container restarts as its pod does, but for init containers that run on as sidecars. */
function dropRestartPolicies(spec: JsonObject): void {
  for (const container of objectsAt(spec, 'containers')) delete container['restartPolicy'];
  for (const container of objectsAt(spec, 'initContainers')) {
    if (container['restartPolicy'] !== 'Always') delete container['restartPolicy'];
  }
}

/** A lifecycle that says nothing else goes with its signal. */
function dropStopSignal(container: JsonObject): void {
  const lifecycle = objectAt(container, 'lifecycle');
  if (lifecycle === undefined) return;
  delete lifecycle['stopSignal'];
  if (Object.keys(lifecycle).length === 0) delete container['lifecycle'];
}
