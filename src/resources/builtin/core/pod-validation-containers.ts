// The rules of a pod's containers: those that run, those that run first and those that are added to look into a pod.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { labelFaults } from '../../../api/names.ts';
import { faultErrors, validateChoice } from '../../validation/field-rules.ts';
import { PROTOCOLS, portNameFaults, validatePortNumber, validateProtocol } from '../../validation/port-rules.ts';
import type {
  ContainerPortShape,
  ContainerShape,
  EphemeralContainerShape,
  Int64,
  PodSpecShape,
  VolumeShape,
} from './pod-shape.ts';
import { validateEnv, validateEnvFrom } from './pod-validation-environment.ts';
import { validateVolumeDevices, validateVolumeMounts } from './pod-validation-mounts.ts';
import { validateRunning } from './pod-validation-probes.ts';
import { validateResizePolicy, validateResources } from './pod-validation-resources.ts';
import { validateSecurityContext } from './pod-validation-security.ts';

/** What the rules of a container look at besides it. */
export interface ContainerSurroundings {
  readonly spec: PodSpecShape;
  /** A pod itself, not a template of one. */
  readonly isPod: boolean;
  /** The volumes that are sound, by name. */
  readonly volumes: ReadonlyMap<string, VolumeShape>;
}

/** All containers of a pod, in Kubernetes' order. */
export function validateAllContainers(surroundings: ContainerSurroundings, field: string): FieldError[] {
  return [
    ...validateContainers(surroundings, `${field}.containers`),
    ...validateInitContainers(surroundings, `${field}.initContainers`),
    ...validateEphemeralContainers(surroundings, `${field}.ephemeralContainers`),
  ];
}

function validateContainers(surroundings: ContainerSurroundings, field: string): FieldError[] {
  const { containers } = surroundings.spec;
  if (!containers || containers.length === 0) return [fieldError.required(field)];
  const found: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    const here = `${field}[${index}]`;
    found.push(...validateContainer(container, surroundings, here));
    const { name = '' } = container;
    if (names.has(name)) found.push(fieldError.duplicate(`${here}.name`, name));
    names.add(name);
    found.push(...validateRunning(container, gracePeriodOf(surroundings), here));
  }
  return [...found, ...validateHostPorts(containers, field)];
}

function gracePeriodOf({ spec }: ContainerSurroundings): Int64 {
  return spec.terminationGracePeriodSeconds ?? 0;
}

const NOT_WITHOUT_RESTART = 'may not be set for init containers without restartPolicy=Always';

function validateInitContainers(surroundings: ContainerSurroundings, field: string): FieldError[] {
  const { containers, initContainers = [] } = surroundings.spec;
  const found: FieldError[] = [];
  const names = new Set((containers ?? []).map(({ name = '' }) => name));
  for (const [index, container] of initContainers.entries()) {
    const here = `${field}[${index}]`;
    const { name = '', restartPolicy } = container;
    found.push(...validateContainer(container, surroundings, here));
    if (restartPolicy !== undefined) {
      found.push(...validateChoice(restartPolicy, ['Always'], `${here}.restartPolicy`));
    }
    if (names.has(name)) found.push(fieldError.duplicate(`${here}.name`, name));
    else if (name !== '') names.add(name);
    // Init containers run one after the other.
    found.push(...validateHostPorts([container], field));
    if (restartPolicy === 'Always') found.push(...validateRunning(container, gracePeriodOf(surroundings), here));
    else {
      for (const member of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
        if (container[member] !== undefined) found.push(fieldError.forbidden(`${here}.${member}`, NOT_WITHOUT_RESTART));
      }
      if ((container.resizePolicy ?? []).length > 0) {
        const why = 'must not be set for init containers';
        found.push(fieldError.invalid(`${here}.resizePolicy`, container.resizePolicy, why));
      }
    }
  }
  return found;
}

/** What a container has that is added later, in declaration order, and may not have. */
const NOT_EPHEMERAL = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;
const NOT_FOR_EPHEMERAL = 'cannot be set for an Ephemeral Container';

function validateEphemeralContainers(surroundings: ContainerSurroundings, field: string): FieldError[] {
  const { containers, initContainers = [], ephemeralContainers = [] } = surroundings.spec;
  const found: FieldError[] = [];
  const lasting = new Set([...(containers ?? []), ...initContainers].map(({ name = '' }) => name));
  const names = new Set(lasting);
  for (const [index, container] of ephemeralContainers.entries()) {
    const here = `${field}[${index}]`;
    const { name = '', targetContainerName = '' } = container;
    found.push(...validateContainer(container, { ...surroundings, isPod: true }, here));
    if (names.has(name)) found.push(fieldError.duplicate(`${here}.name`, name));
    names.add(name);
    if (targetContainerName !== '' && !lasting.has(targetContainerName)) {
      found.push(fieldError.notFound(`${here}.targetContainerName`, targetContainerName));
    }
    found.push(...validateOnlyEphemeral(container, here));
  }
  return found;
}

function validateOnlyEphemeral(container: EphemeralContainerShape, field: string): FieldError[] {
  const found: FieldError[] = [];
  for (const member of NOT_EPHEMERAL) {
    const value = container[member];
    if (value === undefined || isEmpty(value)) continue;
    found.push(fieldError.forbidden(`${field}.${member}`, NOT_FOR_EPHEMERAL));
  }
  // Mounts of parts of volumes outlast the container.
  for (const [index, { subPath = '', subPathExpr = '' }] of (container.volumeMounts ?? []).entries()) {
    const here = `${field}.volumeMounts[${index}]`;
    if (subPath !== '') found.push(fieldError.forbidden(`${here}.subPath`, NOT_FOR_EPHEMERAL));
    if (subPathExpr !== '') found.push(fieldError.forbidden(`${here}.subPathExpr`, NOT_FOR_EPHEMERAL));
  }
  return found;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** What holds for containers of every sort. */
function validateContainer(container: ContainerShape, surroundings: ContainerSurroundings, field: string) {
  const { spec, isPod } = surroundings;
  const { name = '', image = '', resources, resizePolicy, securityContext } = container;
  const found: FieldError[] =
    name === '' ? [fieldError.required(`${field}.name`)] : faultErrors(labelFaults(name), name, `${field}.name`);
  if (image === '') found.push(fieldError.required(`${field}.image`));
  else if (isPod) found.push(...validateTrimmed(image, `${field}.image`));
  found.push(...validateMessagePolicy(container.terminationMessagePolicy, `${field}.terminationMessagePolicy`));
  if (container.ports !== undefined) found.push(...validatePorts(container.ports, `${field}.ports`));
  if (container.env !== undefined) found.push(...validateEnv(container.env, `${field}.env`));
  if (container.envFrom !== undefined) found.push(...validateEnvFrom(container.envFrom, `${field}.envFrom`));
  found.push(
    ...validateVolumeMounts(container, surroundings.volumes, `${field}.volumeMounts`),
    ...validateVolumeDevices(container, surroundings.volumes, `${field}.volumeDevices`),
    ...validatePullPolicy(container.imagePullPolicy, `${field}.imagePullPolicy`),
  );
  if (resources !== undefined) {
    const claims = (spec.resourceClaims ?? []).map((claim) => claim.name ?? '');
    found.push(...validateResources(resources, { claims }, `${field}.resources`));
  }
  found.push(...validateResizePolicy(resizePolicy, spec.restartPolicy, `${field}.resizePolicy`));
  if (securityContext !== undefined) {
    found.push(...validateSecurityContext(securityContext, spec.hostUsers ?? true, `${field}.securityContext`));
  }
  return found;
}

/** Templates may have padded images: they stand for themselves until a pod is made of them. */
export function validateTrimmed(text: string, field: string): FieldError[] {
  if (text.trim() === text) return [];
  return [fieldError.invalid(field, text, 'must not have leading or trailing whitespace')];
}

function validateMessagePolicy(policy = '', field: string): FieldError[] {
  if (policy === '') return [fieldError.required(field)];
  return validateChoice(policy, ['File', 'FallbackToLogsOnError'], field);
}

export function validatePullPolicy(policy = '', field: string): FieldError[] {
  if (policy === '') return [fieldError.required(field)];
  return validateChoice(policy, ['Always', 'IfNotPresent', 'Never'], field);
}

function validatePorts(ports: readonly ContainerPortShape[], field: string): FieldError[] {
  const found: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, { name = '', containerPort = 0, hostPort = 0, protocol = '' }] of ports.entries()) {
    const here = `${field}[${index}]`;
    if (name !== '') {
      const faults = portNameFaults(name);
      found.push(...faultErrors(faults, name, `${here}.name`));
      if (faults.length === 0 && names.has(name)) found.push(fieldError.duplicate(`${here}.name`, name));
      if (faults.length === 0) names.add(name);
    }
    if (containerPort === 0) found.push(fieldError.required(`${here}.containerPort`));
    else found.push(...validatePortNumber(containerPort, `${here}.containerPort`));
    if (hostPort !== 0) found.push(...validatePortNumber(hostPort, `${here}.hostPort`));
    found.push(...validateProtocol(protocol, PROTOCOLS, `${here}.protocol`));
  }
  return found;
}

/** No port of the node is taken twice. */
function validateHostPorts(containers: readonly ContainerShape[], field: string): FieldError[] {
  const found: FieldError[] = [];
  const taken = new Set<string>();
  for (const [index, { ports = [] }] of containers.entries()) {
    for (const [at, { hostPort = 0, hostIP = '', protocol = '' }] of ports.entries()) {
      if (hostPort === 0) continue;
      const place = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(place)) found.push(fieldError.duplicate(`${field}[${index}].ports[${at}].hostPort`, place));
      else taken.add(place);
    }
  }
  return found;
}

/** In the node's network a container's port is the node's. Templates may leave the node's port to be filled in. */
export function validateHostNetworkPorts(
  { spec, isPod }: Pick<ContainerSurroundings, 'spec' | 'isPod'>,
  field: string,
): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  const found: FieldError[] = [];
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [index, { ports = [] }] of (spec[list] ?? []).entries()) {
      for (const [at, { hostPort = 0, containerPort = 0 }] of ports.entries()) {
        if (hostPort === containerPort || (!isPod && hostPort === 0)) continue;
        const here = `${field}.${list}[${index}].ports[${at}].hostPort`;
        found.push(fieldError.invalid(here, hostPort, 'must match `containerPort` when `hostNetwork` is true'));
      }
    }
  }
  return found;
}
