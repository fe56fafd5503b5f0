// Defaults of containers: image pull policy, probes, termination messages.

import type { Draft } from '../../../../api/object.ts';
import { fillIn } from '../../../fill-in.ts';
import { roundResourceList } from '../../../resource-list-defaults.ts';
import { fieldRefDefaults } from '../volume/defaults.ts';
import type { Container, HTTPGetAction, Probe, ResourceRequirements } from './container-objects.ts';
import { pullPolicy } from './image-name.ts';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const HOOKS = ['postStart', 'preStop'] as const;

/** For all kinds of containers, including init and ephemeral containers. */
export function containerDefaults(container: Draft<Container>): void {
  fillIn(container, { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' });
  container.imagePullPolicy ??= pullPolicy(container.image ?? '');
  for (const port of container.ports ?? []) fillIn(port, { protocol: 'TCP' });
  for (const variable of container.env ?? []) {
    fieldRefDefaults(variable.valueFrom?.fieldRef);
    if (variable.valueFrom?.fileKeyRef !== undefined) fillIn(variable.valueFrom.fileKeyRef, { optional: false });
  }
  resourcesDefaults(container.resources);
  for (const name of PROBES) probeDefaults(container[name]);
  const lifecycle = container.lifecycle;
  for (const name of HOOKS) httpGetDefaults(lifecycle?.[name]?.httpGet);
}

/** Rounds resource quantities to the stored precision. */
export function resourcesDefaults(resources: Draft<ResourceRequirements> | undefined): void {
  roundResourceList(resources?.limits);
  roundResourceList(resources?.requests);
}

function probeDefaults(probe: Draft<Probe> | undefined): void {
  if (probe === undefined) return;
  fillIn(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  httpGetDefaults(probe.httpGet);
  const grpc = probe.grpc;
  if (grpc !== undefined) fillIn(grpc, { service: '' });
}

function httpGetDefaults(get: Draft<HTTPGetAction> | undefined): void {
  if (get !== undefined) fillIn(get, { path: '/', scheme: 'HTTP' });
}
