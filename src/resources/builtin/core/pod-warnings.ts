// What is warned of in pods and templates of pods: names and volumes whose time is over, and what is allowed but likely
// a mistake.

import { labelFaults, labelValueFaults } from '../../../api/names.ts';
import type { ApiObject, Json } from '../../../api/object.ts';
import { ipWarnings } from '../../validation/ip-addresses.ts';
import { isFractional } from '../../validation/quantities.ts';
import type { NodeSelectorTerm } from '../../validation/selectors.ts';
import { isObject } from '../../value.ts';
import type {
  ContainerPortShape,
  ContainerShape,
  EnvShape,
  PodMetadata,
  PodSpecShape,
  PodTemplateShape,
  Quantities,
} from './pod-shape.ts';
import { podSpec } from './pod-validation.ts';
import { APP_ARMOR, SECCOMP_CONTAINER, SECCOMP_POD } from './pod-validation-annotations.ts';
import { allContainers, type PlacedContainer } from './pod-validation-platform.ts';
import { overlappingPathWarnings } from './volume-path-warnings.ts';

/** A new pod. Changes of pods are not warned of: people rarely make them. */
export function podWarnings(pod: ApiObject, previous: ApiObject | undefined): string[] {
  if (previous !== undefined) return [];
  const faults = labelFaults(pod.metadata.name ?? '');
  const found =
    faults.length === 0
      ? []
      : [
          "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; " +
            `a DNS label is recommended: [${faults.join(' ')}]`,
        ];
  return [...found, ...specWarnings({ spec: podSpec(pod), metadata: pod.metadata, prefix: '' })];
}

/** A template; `field` is where it stands: `spec.template`. */
export function podTemplateWarnings(template: Json | undefined, field: string): string[] {
  const { metadata = {}, spec = {} } = (isObject(template) ? template : {}) as PodTemplateShape;
  return specWarnings({ spec, metadata, prefix: `${field}.` });
}

/** A name that pods' names and hosts' names will be made of. */
export function workloadNameWarnings({ metadata }: ApiObject): string[] {
  const faults = labelFaults(metadata.name ?? '');
  if (faults.length === 0) return [];
  const why = 'this is used in Pod names and hostnames, which can result in surprising behavior';
  return [`metadata.name: ${why}; a DNS label is recommended: [${faults.join(' ')}]`];
}

/**
 * The warnings of a kind that has one template: when it is created, and when a change raises its generation.
 *
 * @param named whether its name ends up in those of its pods
 */
export function templateWarnings(field: string, named: boolean) {
  return (next: ApiObject, previous: ApiObject | undefined): string[] => {
    if (previous !== undefined && next.metadata.generation === previous.metadata.generation) return [];
    const template = field.split('.').reduce<Json | undefined>((here, name) => memberOf(here, name), next);
    const found = podTemplateWarnings(template, field);
    return named && previous === undefined ? [...workloadNameWarnings(next), ...found] : found;
  };
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined;
}

interface Warned {
  readonly spec: PodSpecShape;
  readonly metadata: PodMetadata;
  /** Stands before paths: nothing for a pod, `spec.template.` for a template. */
  readonly prefix: string;
}

function specWarnings(warned: Warned): string[] {
  const { spec, metadata, prefix } = warned;
  const { annotations } = metadata;
  const containers = allContainers(spec, `${prefix}spec`);
  return [
    ...placementWarnings(spec, `${prefix}spec`),
    ...(annotations === undefined ? [] : annotationWarnings(annotations, prefix)),
    ...volumeWarnings(spec, `${prefix}spec.volumes`),
    ...repeatedWarnings(spec, `${prefix}spec`),
    ...amountWarnings(spec.overhead, `${prefix}spec.overhead`),
    ...(annotations === undefined ? [] : profileWarnings(warned, containers)),
    ...containerWarnings(containers),
    ...portWarnings(containers),
    ...graceWarnings(spec, `${prefix}spec`),
    ...addressWarnings(spec, `${prefix}spec`),
  ];
}

/** Labels of nodes that have new names. */
const NODE_LABELS: Readonly<Record<string, string>> = Object.freeze({
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
});

function placementWarnings(spec: PodSpecShape, field: string): string[] {
  const found = Object.keys(spec.nodeSelector ?? {})
    .sort()
    .filter((label) => Object.hasOwn(NODE_LABELS, label))
    .map((label) => `${field}.nodeSelector[${label}]: ${NODE_LABELS[label]}`);
  const affinity = spec.affinity?.nodeAffinity;
  const here = `${field}.affinity.nodeAffinity`;
  const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const [index, term] of required.entries()) {
    const at = `${here}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`;
    found.push(...nodeTermWarnings(term, false, at));
  }
  for (const [index, each] of (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries()) {
    const at = `${here}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`;
    found.push(...nodeTermWarnings(each.preference ?? {}, true, at));
  }
  for (const [index, { topologyKey = '', labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const at = `${field}.topologySpreadConstraints[${index}]`;
    if (Object.hasOwn(NODE_LABELS, topologyKey)) {
      found.push(`${at}.topologyKey: ${topologyKey} is ${NODE_LABELS[topologyKey]}`);
    }
    if (labelSelector === undefined) found.push(`${at}.labelSelector: a null labelSelector results in matching no pod`);
  }
  return found;
}

/** @param values whether values that no label can have are warned of, where they are allowed */
export function nodeTermWarnings(term: NodeSelectorTerm, values: boolean, field: string): string[] {
  const found: string[] = [];
  for (const [index, expression] of (term.matchExpressions ?? []).entries()) {
    const { key = '' } = expression;
    const here = `${field}.matchExpressions[${index}]`;
    if (Object.hasOwn(NODE_LABELS, key)) found.push(`${here}.key: ${key} is ${NODE_LABELS[key]}`);
    if (!values) continue;
    for (const [at, value] of (expression.values ?? []).entries()) {
      for (const each of labelValueFaults(value)) found.push(`${here}.values[${at}]: ${value} is invalid, ${each}`);
    }
  }
  return found;
}

type Annotations = NonNullable<PodMetadata['annotations']>;

const OLD_ANNOTATIONS: readonly (readonly [name: string, message: string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];

function annotationWarnings(annotations: Annotations, prefix: string): string[] {
  return OLD_ANNOTATIONS.filter(([name]) => annotations[name] !== undefined).map(
    ([name, message]) => `${prefix}metadata.annotations[${name}]: ${message}`,
  );
}

const NO_SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead';
const OLD_APP_ARMOR = 'deprecated since v1.30; use the "appArmorProfile" field instead';

/** Annotations that fields have taken the place of, where the field is not there. */
function profileWarnings({ spec, metadata, prefix }: Warned, containers: readonly PlacedContainer[]): string[] {
  const annotations = metadata.annotations ?? {};
  const found: string[] = [];
  const warn = (name: string, message: string) => {
    if (annotations[name] !== undefined) found.push(`${prefix}metadata.annotations[${name}]: ${message}`);
  };
  if (spec.securityContext?.seccompProfile === undefined) warn(SECCOMP_POD, NO_SECCOMP);
  for (const { container } of containers) {
    const { name = '', securityContext } = container;
    if (securityContext?.seccompProfile === undefined) warn(`${SECCOMP_CONTAINER}${name}`, NO_SECCOMP);
    if (securityContext?.appArmorProfile === undefined) warn(`${APP_ARMOR}${name}`, OLD_APP_ARMOR);
  }
  return found;
}

/** Sources of volumes that nothing serves any more, in the order in which they are warned of. */
const OLD_SOURCES: readonly (readonly [name: string, message: string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

function volumeWarnings({ volumes = [] }: PodSpecShape, field: string): string[] {
  const found = volumes.flatMap((volume, index) =>
    OLD_SOURCES.filter(([name]) => isObject(volume[name])).map(
      ([name, message]) => `${field}[${index}].${name}: ${message}`,
    ),
  );
  return [...found, ...overlappingPathWarnings(volumes)];
}

function repeatedWarnings({ hostAliases = [], imagePullSecrets = [] }: PodSpecShape, field: string): string[] {
  const found: string[] = [];
  const ips = new Set<string>();
  for (const [index, { ip = '' }] of hostAliases.entries()) {
    if (ips.has(ip)) found.push(`${field}.hostAliases[${index}].ip: duplicate ip ${JSON.stringify(ip)}`);
    ips.add(ip);
  }
  const names = new Set<string>();
  for (const [index, { name = '' }] of imagePullSecrets.entries()) {
    const here = `${field}.imagePullSecrets[${index}].name`;
    if (name === '') found.push(`${here}: invalid empty name ""`);
    else if (names.has(name)) found.push(`${here}: duplicate name ${JSON.stringify(name)}`);
    names.add(name);
  }
  return found;
}

/** Bytes come whole. */
function amountWarnings(amounts: Quantities | undefined, field: string): string[] {
  if (amounts === undefined) return [];
  return ['memory', 'ephemeral-storage'].flatMap((name) => {
    const amount = amounts[name];
    if (amount === undefined || !isFractional(amount)) return [];
    return [`${field}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`];
  });
}

function containerWarnings(containers: readonly PlacedContainer[]): string[] {
  return containers.flatMap(({ container, field: here }) => [
    ...amountWarnings(container.resources?.limits, `${here}.resources.limits`),
    ...amountWarnings(container.resources?.requests, `${here}.resources.requests`),
    ...envWarnings(container.env ?? [], `${here}.env`),
  ]);
}

/** A variable may build on an earlier one of its name; else it hides it. */
function envWarnings(variables: readonly EnvShape[], field: string): string[] {
  const names = new Set<string>();
  return variables.flatMap(({ name = '', value = '', valueFrom }, index) => {
    const again = names.has(name);
    names.add(name);
    if (!again || (valueFrom === undefined && value.includes(`$(${name})`))) return [];
    const what = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    return [`${field}[${index}]: ${what}`];
  });
}

function portWarnings(containers: readonly PlacedContainer[]): string[] {
  const found: string[] = [];
  const seen = new Map<string, { port: ContainerPortShape; field: string }[]>();
  for (const { container, field: here } of containers) {
    for (const [index, port] of portsOf(container).entries()) {
      const at = `${here}.ports[${index}]`;
      const key = `${port.containerPort ?? 0}/${port.protocol ?? ''}`;
      const others = seen.get(key) ?? [];
      for (const other of others) {
        const what = portClash(port, other.port);
        if (what !== undefined) found.push(`${at}: ${what} port definition with ${other.field}`);
      }
      seen.set(key, [...others, { port, field: at }]);
    }
  }
  return found;
}

function portsOf({ ports = [] }: ContainerShape): readonly ContainerPortShape[] {
  return ports;
}

function portClash(one: ContainerPortShape, other: ContainerPortShape): string | undefined {
  const [ip = '', otherIp = ''] = [one.hostIP, other.hostIP];
  const [port = 0, otherPort = 0] = [one.hostPort, other.hostPort];
  if (ip === otherIp && port === otherPort) return 'duplicate';
  if (port === 0 || otherPort === 0) return 'overlapping';
  return port === otherPort && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}

function graceWarnings({ terminationGracePeriodSeconds: seconds }: PodSpecShape, field: string): string[] {
  if (seconds === undefined || seconds >= 0) return [];
  const what = 'must be >= 0; negative values are invalid and will be treated as 1';
  return [`${field}.terminationGracePeriodSeconds: ${what}`];
}

function addressWarnings({ dnsConfig, hostAliases = [] }: PodSpecShape, field: string): string[] {
  return [
    ...(dnsConfig?.nameservers ?? []).flatMap((ip, index) =>
      ipWarnings(ip, `${field}.dnsConfig.nameservers[${index}]`),
    ),
    ...hostAliases.flatMap(({ ip = '' }, index) => ipWarnings(ip, `${field}.hostAliases[${index}].ip`)),
  ];
}
