// Defaults of containers: image pull policy, probes, termination messages.

import type { Draft } from '../../../../api/object.ts';
import { eachOf } from '../../../../base/resumed.ts';
import { fillIn } from '../../../fill-in.ts';
import { roundResourceList } from '../../../resource-list-defaults.ts';
import { fieldRefDefaults } from '../volume/defaults.ts';
import type { Container, EnvVar, HTTPGetAction, Probe, ResourceRequirements } from './container-objects.ts';
import { pullPolicy } from './image-name.ts';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const HOOKS = ['postStart', 'preStop'] as const;

/** For all kinds of containers, including init and ephemeral containers. */
export function containerDefaults(container: Draft<Container>): void {
  fillIn(container, { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' });
  container.imagePullPolicy ??= pullPolicy(container.image ?? '');
  eachOf(container.ports ?? [], (port) => fillIn(port, { protocol: 'TCP' }));
  eachOf(container.env ?? [], variableDefaults);
  resourcesDefaults(container.resources);
  for (const name of PROBES) probeDefaults(container[name]);
  const lifecycle = container.lifecycle;
  for (const name of HOOKS) httpGetDefaults(lifecycle?.[name]?.httpGet);
}

function variableDefaults({ valueFrom }: Draft<EnvVar>): void {
  fieldRefDefaults(valueFrom?.fieldRef);
  if (valueFrom?.fileKeyRef !== undefined) fillIn(valueFrom.fileKeyRef, { optional: false });
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
