// What a container is when it does not say: when its image is pulled, how it is probed, where it leaves its last words.

import type { JsonObject } from '../../../../api/object.ts';
import { fillIn, objectAt, objectsAt } from '../../../fill-in.ts';
import { roundResourceList } from '../../../resource-list-defaults.ts';
import { textAt } from '../../../value.ts';
import { fieldRefDefaults } from '../volume/defaults.ts';
import { pullPolicy } from './image-name.ts';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const HOOKS = ['postStart', 'preStop'] as const;

/** Containers of all sorts: init containers and ephemeral ones too. */
export function containerDefaults(container: JsonObject): void {
  fillIn(container, { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' });
  container['imagePullPolicy'] ??= pullPolicy(textAt(container, 'image'));
  for (const port of objectsAt(container, 'ports')) fillIn(port, { protocol: 'TCP' });
  for (const variable of objectsAt(container, 'env')) {
    fieldRefDefaults(objectAt(objectAt(variable, 'valueFrom'), 'fieldRef'));
  }
  resourcesDefaults(objectAt(container, 'resources'));
  for (const name of PROBES) probeDefaults(objectAt(container, name));
  const lifecycle = objectAt(container, 'lifecycle');
  for (const name of HOOKS) httpGetDefaults(objectAt(objectAt(lifecycle, name), 'httpGet'));
}

/** Amounts of resources in the precision in which they are kept. */
export function resourcesDefaults(resources: JsonObject | undefined): void {
  roundResourceList(resources?.['limits']);
  roundResourceList(resources?.['requests']);
}

function probeDefaults(probe: JsonObject | undefined): void {
  if (probe === undefined) return;
  fillIn(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  httpGetDefaults(objectAt(probe, 'httpGet'));
  const grpc = objectAt(probe, 'grpc');
  if (grpc !== undefined) fillIn(grpc, { service: '' });
}

function httpGetDefaults(get: JsonObject | undefined): void {
  if (get !== undefined) fillIn(get, { path: '/', scheme: 'HTTP' });
}
