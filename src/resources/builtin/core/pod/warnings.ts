// Warnings for pods and pod templates: deprecated names and volumes, and settings that are probably mistakes.

import { equalJson } from '../../../../api/json-equal.ts';
import { labelFaults } from '../../../../api/names.ts';
import type { ApiObject, ObjectMeta } from '../../../../api/object.ts';
import { ownMember } from '../../../../api/own-member.ts';
import { joined, NONE, ofItems, ofMembers } from '../../../../base/findings.ts';
import { part, remembering } from '../../../../base/resumed.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import { ipWarnings } from '../../../validation/ip-addresses.ts';
import { isFractional } from '../../../validation/quantities.ts';
import { claimSpecWarnings } from '../persistent-volume-claim/warnings.ts';
import type { Volume } from '../volume/objects.ts';
import { OLD_APP_ARMOR, profileOfAnnotation } from './app-armor.ts';
import type { EnvVar } from './container-objects.ts';
import { KnownPodSpecs } from './known-specs.ts';
import { deprecatedNodeLabel, nodeTermWarnings } from './node-term-warnings.ts';
import type { Pod, PodSpec, PodTemplateSpec } from './objects.ts';
import type { PodRules } from './pod-rules.ts';
import { portWarnings } from './port-warnings.ts';
import { podSpec } from './validation.ts';
import { APP_ARMOR, SECCOMP_CONTAINER, SECCOMP_POD } from './validation-annotations.ts';
import { allContainers, type PlacedContainer } from './validation-platform.ts';
import { overlappingPathWarnings } from './volume-path-warnings.ts';

/** Warnings for a new pod. Updates cause none, because people rarely make them. */
export function podWarnings(pod: Pod, previous: Pod | undefined, rules: PodRules = {}): readonly string[] {
  if (previous !== undefined) return NONE;
  // What is remembered meanwhile does not change which parts there are.
  return joined(
    hostnameWarnings(pod.metadata.name ?? ''),
    part(() => ownSpecWarnings(pod, rules)),
  );
}

export function podStatusWarnings({ status }: Pod): readonly string[] {
  return [
    ...(status?.podIPs ?? []).flatMap(({ ip = '' }, index) => ipWarnings(ip, `status.podIPs[${index}].ip`)),
    ...(status?.hostIPs ?? []).flatMap(({ ip = '' }, index) => ipWarnings(ip, `status.hostIPs[${index}].ip`)),
  ];
}

/** A spec known to cause no warnings only has those of its annotations. */
function ownSpecWarnings(pod: Pod, rules: PodRules): readonly string[] {
  const { metadata } = pod;
  const spec = podSpec(pod);
  const known = rules.memory?.of(KnownPodSpecs).of(spec);
  const warned = { spec, metadata, prefix: '', rules };
  if (known?.isQuiet === true) {
    return metadata.annotations === undefined ? NONE : annotatedWarnings(warned, metadata.annotations);
  }
  const found = specWarnings(warned);
  if (known !== undefined) known.isQuiet = found.length === 0;
  return found;
}

function annotatedWarnings(warned: Warned, annotations: Annotations): readonly string[] {
  return joined(
    annotationWarnings(annotations, warned.prefix),
    profileWarnings(warned, allContainers(warned.spec, `${warned.prefix}spec`)),
  );
}

function hostnameWarnings(name: string): readonly string[] {
  const faults = labelFaults(name);
  if (faults.length === 0) return NONE;
  const why = "this is used in the Pod's hostname, which can result in surprising behavior";
  return [`metadata.name: ${why}; a DNS label is recommended: [${faults.join(' ')}]`];
}

/** Warnings for a template; `field` is its path: `spec.template`. */
export function podTemplateWarnings(
  template: PodTemplateSpec | undefined,
  field: string,
  rules: PodRules = {},
): readonly string[] {
  const { metadata = {}, spec = {} } = template ?? {};
  return specWarnings({ spec, metadata, prefix: `${field}.`, rules });
}

/** A name from which pod names and host names are derived. */
export function workloadNameWarnings({ metadata }: Pick<ApiObject, 'metadata'>): readonly string[] {
  const faults = labelFaults(metadata.name ?? '');
  if (faults.length === 0) return NONE;
  const why = 'this is used in Pod names and hostnames, which can result in surprising behavior';
  return [`metadata.name: ${why}; a DNS label is recommended: [${faults.join(' ')}]`];
}

/** A kind with a pod template. */
interface HasTemplate extends Pick<ApiObject, 'metadata'> {
  readonly spec?: { readonly template?: PodTemplateSpec };
}

/** The warnings of such a kind; `named`: its name is part of its pods' names. */
export function workloadWarnings(named: boolean) {
  return templateWarnings(({ spec }: HasTemplate) => spec?.template, 'spec.template', named);
}

const ofNamedWorkload = workloadWarnings(true);

/** As in Kubernetes, an update of a ReplicationController warns of its previous template. */
export function replicationControllerWarnings(
  next: HasTemplate,
  previous: HasTemplate | undefined,
  rules: PodRules = {},
): readonly string[] {
  if (previous === undefined) return ofNamedWorkload(next, undefined, rules);
  return ofNamedWorkload({ ...previous, metadata: next.metadata }, previous, rules);
}

/**
 * The warnings of a kind with one template: for a create, and for updates that raise its generation.
 *
 * @param named whether its name is part of its pods' names
 */
export function templateWarnings<T extends Pick<ApiObject, 'metadata'>>(
  templateOf: (object: T) => PodTemplateSpec | undefined,
  field: string,
  named: boolean,
) {
  return (next: T, previous: T | undefined, rules: PodRules = {}): readonly string[] => {
    if (previous !== undefined && next.metadata.generation === previous.metadata.generation) return NONE;
    const found = podTemplateWarnings(templateOf(next), field, rules);
    return named && previous === undefined ? joined(workloadNameWarnings(next), found) : found;
  };
}

interface Warned {
  readonly spec: PodSpec;
  readonly metadata: ObjectMeta;
  /** Prefix of paths: empty for a pod, `spec.template.` for a template. */
  readonly prefix: string;
  readonly rules: PodRules;
}

function specWarnings(warned: Warned): readonly string[] {
  const { spec, metadata, prefix, rules } = warned;
  const { annotations } = metadata;
  const containers = allContainers(spec, `${prefix}spec`);
  return joined(
    placementWarnings(spec, rules, `${prefix}spec`),
    annotations === undefined ? NONE : annotationWarnings(annotations, prefix),
    volumeWarnings(spec, `${prefix}spec.volumes`, rules),
    part(() => repeatedWarnings(spec, `${prefix}spec`)),
    amountWarnings(spec.overhead, `${prefix}spec.overhead`),
    annotations === undefined ? NONE : profileWarnings(warned, containers),
    containerWarnings(containers, rules),
    portWarnings(containers),
    portNameWarnings(containers),
    prefix === '' ? NONE : graceWarnings(spec, `${prefix}spec`),
    podAffinityWarnings(spec, `${prefix}spec.affinity`),
    addressWarnings(spec, `${prefix}spec`),
  );
}

/** Deprecated node labels. */
function placementWarnings(spec: PodSpec, { minor }: PodRules, field: string): readonly string[] {
  const affinity = spec.affinity?.nodeAffinity;
  const here = `${field}.affinity.nodeAffinity`;
  return joined(
    ofMembers(spec.nodeSelector, (label) => {
      const deprecation = deprecatedNodeLabel(label, { minor });
      return deprecation === undefined ? NONE : [`${field}.nodeSelector[${label}]: ${deprecation}`];
    }),
    ofItems(affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms, (term, index) => {
      const at = `${here}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`;
      return nodeTermWarnings(term, { values: false, minor }, at);
    }),
    ofItems(affinity?.preferredDuringSchedulingIgnoredDuringExecution, ({ preference }, index) => {
      const at = `${here}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`;
      return nodeTermWarnings(preference ?? {}, { values: true, minor }, at);
    }),
    ofItems(spec.topologySpreadConstraints, ({ topologyKey = '', labelSelector }, index) => {
      const at = `${field}.topologySpreadConstraints[${index}]`;
      const deprecation = deprecatedNodeLabel(topologyKey, { minor });
      return joined(
        deprecation === undefined ? NONE : [`${at}.topologyKey: ${topologyKey} is ${deprecation}`],
        labelSelector === undefined ? [`${at}.labelSelector: a null labelSelector results in matching no pod`] : NONE,
      );
    }),
  );
}

type Annotations = NonNullable<ObjectMeta['annotations']>;

const OLD_ANNOTATIONS: readonly (readonly [name: string, message: string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];

function annotationWarnings(annotations: Annotations, prefix: string): readonly string[] {
  return ofItems(OLD_ANNOTATIONS, ([name, message]) =>
    ownMember(annotations, name) === undefined ? NONE : [`${prefix}metadata.annotations[${name}]: ${message}`],
  );
}

const NO_SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/** Annotations that fields have replaced, if the field is absent. */
function profileWarnings({ spec, metadata, prefix }: Warned, containers: readonly PlacedContainer[]): string[] {
  const annotations = metadata.annotations ?? {};
  const found: string[] = [];
  const warn = (name: string, message: string) => {
    if (ownMember(annotations, name) !== undefined) found.push(`${prefix}metadata.annotations[${name}]: ${message}`);
  };
  if (spec.securityContext?.seccompProfile === undefined) warn(SECCOMP_POD, NO_SECCOMP);
  for (const { container } of containers) {
    const { name = '', securityContext } = container;
    if (securityContext?.seccompProfile === undefined) warn(`${SECCOMP_CONTAINER}${name}`, NO_SECCOMP);
    // Those of a pod are reported before annotations are copied to fields.
    const annotation = annotations[`${APP_ARMOR}${name}`];
    if (prefix === '' || annotation === undefined || securityContext?.appArmorProfile !== undefined) continue;
    const ofPod = spec.securityContext?.appArmorProfile;
    if (ofPod !== undefined && equalJson(ofPod, profileOfAnnotation(annotation))) continue;
    warn(`${APP_ARMOR}${name}`, OLD_APP_ARMOR);
  }
  return found;
}

/** For gitRepo volumes, unless nodes may still mount them. */
const DISABLED = ', and disabled by default in v1.33+';

/** Removed volume sources, in the order of their warnings. */
const OLD_SOURCES: ReadonlyMap<keyof Volume, string> = new Map([
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', `deprecated in v1.11${DISABLED}`],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
]);

function volumeWarnings({ volumes = [] }: PodSpec, field: string, rules: PodRules): readonly string[] {
  const old = ofItems(volumes, (volume, index) => {
    const found = oldSources(volume, `${field}[${index}]`);
    return rules.gateEnabled?.('GitRepoVolumeDriver') === true ? found.map(withoutDisabled) : found;
  });
  return joined(old, overlappingPathWarnings(volumes));
}

function withoutDisabled(warning: string): string {
  return warning.replace(DISABLED, '');
}

/** One has a different name in warnings. */
function fieldOf(source: string): string {
  return source === 'storageos' ? 'storageOS' : source;
}

/** Only an invalid volume has more than one, or one in a template that releases before 1.34 hardly validate. */
function oldSources(volume: Volume, field: string): readonly string[] {
  const found: string[] = [];
  for (const [name, message] of OLD_SOURCES) {
    if (volume[name] !== undefined) found.push(`${field}.${fieldOf(name)}: ${message}`);
  }
  if (found.length > 0) return found;
  const claim = volume.ephemeral;
  if (claim === undefined) return NONE;
  const here = `${field}.ephemeral.volumeClaimTemplate.spec`;
  return claimSpecWarnings(claim.volumeClaimTemplate?.spec, here);
}

function repeatedWarnings({ hostAliases = [], imagePullSecrets = [] }: PodSpec, field: string): readonly string[] {
  if (hostAliases.length + imagePullSecrets.length === 0) return NONE;
  const found: string[] = [];
  const ips = new Set<string>();
  for (const [index, { ip = '' }] of hostAliases.entries()) {
    if (ips.has(ip)) found.push(`${field}.hostAliases[${index}].ip: duplicate ip ${JSON.stringify(ip)}`);
    ips.add(ip);
  }
  const names = new Set<string>();
  const empty: string[] = [];
  for (const [index, { name = '' }] of imagePullSecrets.entries()) {
    const here = `${field}.imagePullSecrets[${index}].name`;
    if (names.has(name)) found.push(`${here}: duplicate name ${JSON.stringify(name)}`);
    if (name === '') empty.push(`${here}: invalid empty name ""`);
    names.add(name);
  }
  return [...found, ...empty];
}

/** Sizes must be whole bytes. */
function amountWarnings(amounts: Readonly<Record<string, string>> | undefined, field: string): readonly string[] {
  if (amounts === undefined) return NONE;
  return ofItems(OF_BYTES, (name) => {
    const amount = ownMember(amounts, name);
    if (amount === undefined || !isFractional(amount)) return NONE;
    return [`${field}[${name}]: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`];
  });
}

const OF_BYTES = ['memory', 'ephemeral-storage'];

function containerWarnings(containers: readonly PlacedContainer[], rules: PodRules): readonly string[] {
  return ofItems(containers, ({ container: { resources, env }, field: here }) =>
    joined(
      amountWarnings(resources?.limits, `${here}.resources.limits`),
      amountWarnings(resources?.requests, `${here}.resources.requests`),
      envWarnings(env, rules, `${here}.env`),
    ),
  );
}

/** The first minor release whose warning says why a variable should not hide another one. */
const TELLS_WHY = 30;

/** A variable may refer to an earlier one of the same name; otherwise it hides it. */
function envWarnings(variables: readonly EnvVar[] | undefined, rules: PodRules, field: string): readonly string[] {
  if (variables === undefined) return NONE;
  return remembering(
    () => new Set<string>(),
    (names) =>
      ofItems(variables, ({ name = '', value = '', valueFrom }, index) => {
        const again = names.has(name);
        names.add(name);
        if (!again || (valueFrom === undefined && value.includes(`$(${name})`))) return NONE;
        const what = `${field}[${index}]: hides previous definition of ${JSON.stringify(name)}`;
        return [isSince(rules, TELLS_WHY) ? `${what}, which may be dropped when using apply` : what];
      }),
  );
}

/** A name refers to the first port with it, in any container. */
function portNameWarnings(containers: readonly PlacedContainer[]): readonly string[] {
  const named = containers.flatMap(({ container: { ports }, field: here }) =>
    (ports ?? []).flatMap(({ name = '' }, index) => (name === '' ? [] : [{ name, field: `${here}.ports[${index}]` }])),
  );
  if (named.length < 2) return NONE;
  return remembering(
    () => new Map<string, string>(),
    (places) =>
      ofItems(named, ({ name, field }) => {
        const first = places.get(name);
        if (first === undefined) {
          places.set(name, field);
          return NONE;
        }
        const what = `duplicate port name ${JSON.stringify(name)} with ${first}`;
        return [`${field}: ${what}, services and probes that select ports by name will use ${first}`];
      }),
  );
}

/** Affinity terms without a selector match no pods. */
function podAffinityWarnings({ affinity }: PodSpec, field: string): readonly string[] {
  if (affinity === undefined) return NONE;
  return ofItems(['podAffinity', 'podAntiAffinity'] as const, (member) => {
    const terms = affinity[member];
    const [required, preferred] = [`${field}.${member}.${REQUIRED}`, `${field}.${member}.${PREFERRED}`];
    return joined(
      ofItems(terms?.[REQUIRED], (term, index) => selectsNothing(term, `${required}[${index}]`)),
      ofItems(terms?.[PREFERRED], ({ podAffinityTerm }, index) =>
        selectsNothing(podAffinityTerm, `${preferred}[${index}].podAffinityTerm`),
      ),
    );
  });
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

function selectsNothing(term: { readonly labelSelector?: unknown } | undefined, field: string): readonly string[] {
  if (term?.labelSelector !== undefined) return NONE;
  return [`${field}.labelSelector: a null labelSelector results in matching no pod`];
}

/** Only for templates: pods are changed to one second. */
function graceWarnings({ terminationGracePeriodSeconds: seconds }: PodSpec, field: string): readonly string[] {
  if (seconds === undefined || seconds >= 0) return NONE;
  const what = 'must be >= 0; negative values are invalid and will be treated as 1';
  return [`${field}.terminationGracePeriodSeconds: ${what}`];
}

function addressWarnings({ dnsConfig, hostAliases }: PodSpec, field: string): readonly string[] {
  return joined(
    ofItems(dnsConfig?.nameservers, (ip, index) => ipWarnings(ip, `${field}.dnsConfig.nameservers[${index}]`)),
    ofItems(hostAliases, ({ ip = '' }, index) => ipWarnings(ip, `${field}.hostAliases[${index}].ip`)),
  );
}
