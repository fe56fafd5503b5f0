// Fields of containers that are dropped without a word as long as their feature gate is off, where the field alone
// does not tell: it depends on its value or on what is left beside it.

import type { JsonObject } from '../../../../api/object.ts';
import type { BehaviourContext } from '../../../definition.ts';
import { objectAt, objectsAt } from '../../../fill-in.ts';
import { isObject } from '../../../value.ts';

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];

export function dropGatedFields(spec: JsonObject, { gateEnabled }: BehaviourContext): void {
  if (!gateEnabled('ContainerRestartRules')) dropRestartPolicies(spec);
  if (!gateEnabled('ImageVolume')) dropImageVolumes(spec);
  if (!gateEnabled('ProcMountType')) resetProcMounts(spec);
  if (!gateEnabled('ContainerStopSignals')) {
    for (const list of CONTAINERS) {
      for (const container of objectsAt(spec, list)) dropStopSignal(container);
    }
  }
}

/** Without rules of its own a container restarts as its pod does, but for init containers that run on as sidecars. */
function dropRestartPolicies(spec: JsonObject): void {
  for (const container of objectsAt(spec, 'containers')) dropRestartPolicy(container);
  for (const container of objectsAt(spec, 'initContainers')) {
    if (container['restartPolicy'] !== 'Always') dropRestartPolicy(container);
  }
  for (const container of objectsAt(spec, 'ephemeralContainers')) delete container['restartPolicy'];
}

function dropRestartPolicy(container: JsonObject): void {
  if (container['restartPolicy'] !== undefined) delete container['restartPolicy'];
}

function dropImageVolumes(spec: JsonObject): void {
  const volumes = objectsAt(spec, 'volumes');
  const dropped = new Set(volumes.filter(({ image }) => isObject(image)).map(({ name }) => name));
  if (dropped.size === 0) return;
  keep(spec, 'volumes', ({ image }) => !isObject(image));
  for (const list of CONTAINERS) {
    for (const container of objectsAt(spec, list)) keep(container, 'volumeMounts', ({ name }) => !dropped.has(name));
  }
}

/** Keeps some objects of a list, which goes when none is left. */
function keep(parent: JsonObject, name: string, wanted: (item: JsonObject) => boolean): void {
  const kept = objectsAt(parent, name).filter(wanted);
  if (kept.length === 0) delete parent[name];
  else parent[name] = kept;
}

/** The field itself stays: servers of old always filled it in. */
function resetProcMounts(spec: JsonObject): void {
  for (const list of CONTAINERS) {
    for (const container of objectsAt(spec, list)) {
      const context = objectAt(container, 'securityContext');
      if (context?.['procMount'] !== undefined) context['procMount'] = 'Default';
    }
  }
}

/** A lifecycle that says nothing else goes with its signal. */
function dropStopSignal(container: JsonObject): void {
  const lifecycle = objectAt(container, 'lifecycle');
  if (lifecycle?.['stopSignal'] === undefined) return;
  delete lifecycle['stopSignal'];
  if (Object.keys(lifecycle).length === 0) delete container['lifecycle'];
}
