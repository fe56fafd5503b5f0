// Validation of containers, init containers and ephemeral containers.

import { type FieldError, type FieldErrors, fieldError } from '../../../../api/errors.ts';
import { labelFaults } from '../../../../api/names.ts';
import { joined, NONE, ofItems } from '../../../../base/findings.ts';
import { overItems, remembering } from '../../../../base/resumed.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import { faultErrors, validateChoice } from '../../../validation/field-rules.ts';
import { keepable } from '../../../validation/kept-faults.ts';
import { PROTOCOLS, portNameFaults, validatePortNumber, validateProtocol } from '../../../validation/port-rules.ts';
import type { Volume } from '../volume/objects.ts';
import type { Container, ContainerPort, EphemeralContainer } from './container-objects.ts';
import type { PodSpec } from './objects.ts';
import type { PodRules } from './pod-rules.ts';
import { type EnvironmentRules, validateEnv, validateEnvFrom } from './validation-environment.ts';
import { validateVolumeDevices, validateVolumeMounts } from './validation-mounts.ts';
import { validateInitRestarts, validateRestarts } from './validation-previews.ts';
import { validateRunning } from './validation-probes.ts';
import { type ClaimNames, validateResizePolicy, validateResources } from './validation-resources.ts';
import { validateSecurityContext } from './validation-security.ts';

/** Context for the validation of containers. */
export interface ContainerSurroundings {
  readonly spec: PodSpec;
  readonly claims: ClaimNames;
  /** Whether privileged containers are forbidden. */
  readonly refusesPrivileged: boolean;
  readonly environment: EnvironmentRules;
  /** Whether zero sleeps are allowed: the gate PodLifecycleSleepActionAllowZero. */
  readonly zeroSleeps: boolean;
  readonly rules: PodRules;
  /** The valid volumes, by name. */
  readonly volumes: ReadonlyMap<string, Volume>;
}

/** All containers of a pod, in Kubernetes' order. */
export function validateAllContainers(surroundings: ContainerSurroundings, field: string): FieldErrors {
  return joined(
    validateContainers(surroundings, `${field}.containers`),
    validateInitContainers(surroundings, `${field}.initContainers`),
    validateEphemeralContainers(surroundings, `${field}.ephemeralContainers`),
  );
}

function validateContainers(surroundings: ContainerSurroundings, field: string): FieldErrors {
  const { containers } = surroundings.spec;
  if (!containers || containers.length === 0) return [fieldError.required(field)];
  const namesakes = namesakesOf(containers);
  const found = overItems(containers, (container, index) => {
    const here = `${field}[${index}]`;
    const { name = '' } = container;
    return joined(
      validateContainer(container, surroundings, here),
      namesakes.has(index) ? [fieldError.duplicate(`${here}.name`, name)] : NONE,
      validateRunning(container, surroundings, here),
      validateRestarts(container, here, surroundings.rules),
    );
  });
  return joined(found, validateHostPorts(containers, field));
}

/** The places of containers whose name an earlier one has. */
function namesakesOf(containers: readonly Container[]): ReadonlySet<number> {
  if (containers.length === 1) return NO_PLACES;
  const names = new Set<string>();
  let places: Set<number> | undefined;
  for (const [index, { name = '' }] of containers.entries()) {
    if (names.has(name)) (places ??= new Set()).add(index);
    names.add(name);
  }
  return places ?? NO_PLACES;
}

const NO_PLACES: ReadonlySet<number> = new Set();

const NOT_WITHOUT_RESTART = 'may not be set for init containers without restartPolicy=Always';

function validateInitContainers(surroundings: ContainerSurroundings, field: string): FieldErrors {
  const { containers, initContainers } = surroundings.spec;
  if (initContainers === undefined) return NONE;
  const found: FieldError[] = [];
  const names = new Set((containers ?? []).map(({ name = '' }) => name));
  for (const [index, container] of initContainers.entries()) {
    const here = `${field}[${index}]`;
    const { name = '', restartPolicy } = container;
    found.push(
      ...validateContainer(container, surroundings, here),
      ...validateInitRestarts(container, here, surroundings.rules),
    );
    if (names.has(name)) found.push(fieldError.duplicate(`${here}.name`, name));
    else if (name !== '') names.add(name);
    // Init containers run one after another.
    found.push(...validateHostPorts([container], field));
    if (restartPolicy === 'Always') found.push(...validateRunning(container, surroundings, here));
    else {
      for (const member of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
        if (container[member] !== undefined) found.push(fieldError.forbidden(`${here}.${member}`, NOT_WITHOUT_RESTART));
      }
      found.push(...validateInitResizes(container, surroundings.rules, here));
    }
  }
  return found;
}

/** Init containers that are not sidecars are not restarted to be resized; existing ones may say so. */
function validateInitResizes({ resizePolicy = [] }: Container, rules: PodRules, field: string): FieldError[] {
  if (!isSince(rules, 36)) return [];
  const why = "must not be set to 'RestartContainer' for non-sidecar initContainers";
  return resizePolicy.flatMap(({ restartPolicy }, at) => {
    if (restartPolicy !== 'RestartContainer') return [];
    const error = fieldError.invalid(`${field}.resizePolicy[${at}].restartPolicy`, restartPolicy, why);
    return keepable('init container resizes', [error]);
  });
}

/** Fields that ephemeral containers must not have, in declaration order. */
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

function validateEphemeralContainers(surroundings: ContainerSurroundings, field: string): FieldErrors {
  const { containers, initContainers = [], ephemeralContainers } = surroundings.spec;
  if (ephemeralContainers === undefined) return NONE;
  const found: FieldError[] = [];
  const lasting = new Set([...(containers ?? []), ...initContainers].map(({ name = '' }) => name));
  const names = new Set(lasting);
  for (const [index, container] of ephemeralContainers.entries()) {
    const here = `${field}[${index}]`;
    const { name = '', targetContainerName = '' } = container;
    found.push(
      ...validateContainer(container, surroundings, here),
      ...validateTrimmed(container.image ?? '', `${here}.image`),
    );
    if (names.has(name)) found.push(fieldError.duplicate(`${here}.name`, name));
    names.add(name);
    if (targetContainerName !== '' && !lasting.has(targetContainerName)) {
      found.push(fieldError.notFound(`${here}.targetContainerName`, targetContainerName));
    }
    found.push(...validateOnlyEphemeral(container, here));
  }
  return found;
}

function validateOnlyEphemeral(container: EphemeralContainer, field: string): FieldError[] {
  const found: FieldError[] = [];
  for (const member of NOT_EPHEMERAL) {
    const value = container[member];
    // Resources are a value that is always present.
    if (value === undefined || (member === 'resources' && isEmpty(value))) continue;
    found.push(fieldError.forbidden(`${field}.${member}`, NOT_FOR_EPHEMERAL));
  }
  // Subpath mounts would outlast the container.
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

/** Common to all kinds of containers. */
function validateContainer(container: Container, surroundings: ContainerSurroundings, field: string): FieldErrors {
  const { spec, refusesPrivileged, volumes } = surroundings;
  const { name = '', image = '', ports, env, envFrom, resources, securityContext } = container;
  return joined(
    name === '' ? [fieldError.required(`${field}.name`)] : faultErrors(labelFaults(name), name, `${field}.name`),
    image === '' ? [fieldError.required(`${field}.image`)] : NONE,
    validateMessagePolicy(container.terminationMessagePolicy, `${field}.terminationMessagePolicy`),
    ports === undefined ? NONE : validatePorts(ports, `${field}.ports`),
    env === undefined ? NONE : validateEnv(env, surroundings.environment, `${field}.env`),
    envFrom === undefined ? NONE : validateEnvFrom(envFrom, surroundings.environment, `${field}.envFrom`),
    validateVolumeMounts(container, volumes, `${field}.volumeMounts`),
    validateVolumeDevices(container, volumes, `${field}.volumeDevices`),
    validatePullPolicy(container.imagePullPolicy, `${field}.imagePullPolicy`),
    resources === undefined
      ? NONE
      : validateResources(resources, { claims: surroundings.claims }, `${field}.resources`),
    validateResizePolicy(container.resizePolicy, spec.restartPolicy, `${field}.resizePolicy`),
    securityContext === undefined
      ? NONE
      : validateSecurityContext(
          securityContext,
          { hostUsers: spec.hostUsers ?? true, refusesPrivileged },
          `${field}.securityContext`,
        ),
  );
}

/** Image names in pods have no surrounding blanks; those in templates may. */
export function validateImages({ containers = [], initContainers = [] }: PodSpec, field: string): FieldErrors {
  return joined(
    ofItems(containers, ({ image = '' }, index) => validateTrimmed(image, `${field}.containers[${index}].image`)),
    ofItems(initContainers, ({ image = '' }, index) =>
      validateTrimmed(image, `${field}.initContainers[${index}].image`),
    ),
  );
}

export function validateTrimmed(text: string, field: string): FieldError[] {
  if (text.trim() === text) return [];
  return [fieldError.invalid(field, text, 'must not have leading or trailing whitespace')];
}

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];

function validateMessagePolicy(policy = '', field: string): FieldError[] {
  if (policy === '') return [fieldError.required(field)];
  return validateChoice(policy, MESSAGE_POLICIES, field);
}

export function validatePullPolicy(policy = '', field: string): FieldError[] {
  if (policy === '') return [fieldError.required(field)];
  return validateChoice(policy, PULL_POLICIES, field);
}

function validatePorts(ports: readonly ContainerPort[], field: string): FieldErrors {
  return remembering(
    () => new Set<string>(),
    (names) =>
      ofItems(ports, ({ name = '', containerPort = 0, hostPort = 0, protocol = '' }, index) => {
        const here = `${field}[${index}]`;
        return joined(
          name === '' ? NONE : validatePortName(name, names, `${here}.name`),
          containerPort === 0
            ? [fieldError.required(`${here}.containerPort`)]
            : validatePortNumber(containerPort, `${here}.containerPort`),
          hostPort === 0 ? NONE : validatePortNumber(hostPort, `${here}.hostPort`),
          validateProtocol(protocol, PROTOCOLS, `${here}.protocol`),
        );
      }),
  );
}

/** @param taken names of earlier ports; valid ones are added */
function validatePortName(name: string, taken: Set<string>, field: string): FieldErrors {
  const faults = portNameFaults(name);
  if (faults.length > 0) return faultErrors(faults, name, field);
  if (taken.has(name)) return [fieldError.duplicate(field, name)];
  taken.add(name);
  return NONE;
}

/** Host ports are unique. */
function validateHostPorts(containers: readonly Container[], field: string): FieldErrors {
  const open = containers.flatMap(({ ports }, index) =>
    (ports ?? []).flatMap(({ hostPort = 0, hostIP = '', protocol = '' }, at) =>
      hostPort === 0 ? [] : [{ place: `${protocol}/${hostIP}/${hostPort}`, field: `[${index}].ports[${at}].hostPort` }],
    ),
  );
  if (open.length < 2) return NONE;
  return remembering(
    () => new Set<string>(),
    (taken) =>
      ofItems(open, ({ place, field: here }) => {
        if (taken.has(place)) return [fieldError.duplicate(field + here, place)];
        taken.add(place);
        return NONE;
      }),
  );
}

/** With host networking, container ports equal host ports. Templates may leave host ports to be defaulted. */
export function validateHostNetworkPorts(
  { spec, isPod }: { readonly spec: PodSpec; readonly isPod: boolean },
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
