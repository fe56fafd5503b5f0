// Validation of pod status updates: addresses, conditions, and terminated containers.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { IMMUTABLE } from '../../../../api/metadata-validation.ts';
import { qualifiedNameFaults, subdomainFaults } from '../../../../api/names.ts';
import { firstBy } from '../../../../base/first-places.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import { faultErrors } from '../../../validation/field-rules.ts';
import { type LegacyAddresses, legacyAddresses, parseIp } from '../../../validation/ip-addresses.ts';
import type { Container } from './container-objects.ts';
import type { Pod, PodStatus } from './objects.ts';
import type { PodRules } from './pod-rules.ts';
import { podSpec } from './validation.ts';
import { validateDeviceHealth, validateExtendedClaim } from './validation-device-status.ts';
import { mayRestartAll } from './validation-previews.ts';
import { validatePodAnnotationUpdate } from './validation-update.ts';

const CONTAINER_LISTS = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;
type ContainerList = (typeof CONTAINER_LISTS)[number];

/** The first minor release in which a status keeps its QoS class. */
export const KEEPS_CLASS = 32;

export function validatePodStatus(next: Pod, previous: Pod, rules: PodRules = {}): FieldError[] {
  const [status, old] = [next.status, previous.status];
  const found = validatePodAnnotationUpdate(next, previous, rules);
  for (const [index, condition] of (status?.conditions ?? []).entries()) {
    const type = condition.type ?? '';
    const field = `status.conditions[${index}]`;
    found.push(...validateGeneration(condition.observedGeneration, `${field}.observedGeneration`));
    found.push(...faultErrors(qualifiedNameFaults(type), type, `${field}.Type`));
  }
  const nominated = status?.nominatedNodeName ?? '';
  if (nominated !== '' && nominated !== (old?.nominatedNodeName ?? '')) {
    found.push(...faultErrors(subdomainFaults(nominated), nominated, 'status.nominatedNodeName'));
    const isBound = (previous.spec?.nodeName ?? '') !== '';
    if (isBound && rules.gateEnabled?.('ClearingNominatedNodeNameAfterBinding') === true) {
      const why = 'may not be set on pods that are already bound to a node';
      found.push(fieldError.forbidden('status.nominatedNodeName', why));
    }
  }
  found.push(...validateGeneration(status?.observedGeneration, 'status.observedGeneration'));
  const qos = status?.qosClass ?? '';
  const oldQos = old?.qosClass ?? '';
  if (oldQos !== '' && qos !== oldQos && isSince(rules, KEEPS_CLASS))
    found.push(fieldError.invalid('status.qosClass', qos, IMMUTABLE));
  return [
    ...found,
    ...validateEnded(next, previous, rules),
    ...validateClaimStatuses(next, rules),
    ...validateExtendedClaim(next),
    ...validatePodIps(
      status,
      legacyAddresses(
        rules,
        old?.podIPs?.map(({ ip }) => ip),
      ),
    ),
    ...validateHostIps(
      status,
      legacyAddresses(
        rules,
        old?.hostIPs?.map(({ ip }) => ip),
      ),
    ),
    ...validateUsers(next),
    ...validateDeviceHealth(next),
  ];
}

function validateGeneration(generation: number | bigint | undefined, field: string): FieldError[] {
  if (generation === undefined || generation >= 0) return [];
  return [fieldError.invalid(field, Number(generation), 'must be a non-negative integer')];
}

/** The first minor release in which the restart rules of init containers count. */
const INIT_CONTAINERS_HAVE_RULES = 35;

/** The restart policy that a container has of its own after an exit code; undefined for that of its pod. */
function policyAfter({ restartPolicy, restartPolicyRules = [] }: Container, exitCode: number): string | undefined {
  if (restartPolicy === undefined) return undefined;
  const isFor = ({ operator, values = [] }: { readonly operator?: string; readonly values?: readonly number[] }) =>
    values.includes(exitCode) === (operator === 'In');
  const isMet = restartPolicyRules.some(({ exitCodes }) => exitCodes !== undefined && isFor(exitCodes));
  return isMet ? 'Always' : restartPolicy;
}

/** Terminated containers that are not restarted remain terminated. */
function validateEnded(next: Pod, previous: Pod, rules: PodRules): FieldError[] {
  const spec = podSpec(previous);
  const { restartPolicy = '' } = spec;
  const found: FieldError[] = [];
  const check = (list: ContainerList, mayStart: (name: string, exitCode: number) => boolean) => {
    const statuses = firstBy(next.status?.[list] ?? [], ({ name = '' }) => name);
    for (const [index, old] of (previous.status?.[list] ?? []).entries()) {
      const name = old.name ?? '';
      const ended = old.state?.terminated;
      if (ended === undefined || mayStart(name, ended.exitCode ?? 0)) continue;
      const now = statuses.get(name);
      if (now === undefined || now.state?.terminated !== undefined) continue;
      const here = `status.${list}[${index}].state`;
      found.push(fieldError.forbidden(here, 'may not be transitioned to non-terminated state'));
    }
  };
  const restarts = (policy: string, exitCode: number) =>
    policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
  const byRules = (list: 'containers' | 'initContainers') => {
    const containers = firstBy(spec[list] ?? [], ({ name = '' }) => name);
    return (name: string, exitCode: number) => {
      const container = containers.get(name);
      return container !== undefined && restarts(policyAfter(container, exitCode) ?? restartPolicy, exitCode);
    };
  };
  const sidecars = new Set(
    (spec.initContainers ?? []).filter((each) => each.restartPolicy === 'Always').map(({ name }) => name),
  );
  const hasRules = rules.gateEnabled?.('ContainerRestartRules') === true;
  if (!mayRestartAll(spec, rules)) {
    check('containerStatuses', hasRules ? byRules('containers') : (_, exitCode) => restarts(restartPolicy, exitCode));
    check(
      'initContainerStatuses',
      hasRules && isSince(rules, INIT_CONTAINERS_HAVE_RULES)
        ? byRules('initContainers')
        : (name, exitCode) => {
            // A failed init container is retried if the pod's restart policy allows it.
            return sidecars.has(name) || (restartPolicy !== 'Never' && restarts(restartPolicy, exitCode));
          },
    );
  }
  check('ephemeralContainerStatuses', () => false);
  return found;
}

/** Each refers to a claim of the pod. */
function validateClaimStatuses(pod: Pod, rules: PodRules): FieldError[] {
  const names = new Set<string>();
  const claims = new Set((pod.spec?.resourceClaims ?? []).map((each) => each.name ?? ''));
  return (pod.status?.resourceClaimStatuses ?? []).flatMap((status, index) => {
    const field = `status.resourceClaimStatuses[${index}].name`;
    const claimField = isSince(rules, 36) ? `status.resourceClaimStatuses[${index}].resourceClaimName` : field;
    const [name, claim] = [status.name ?? '', status.resourceClaimName];
    const why = 'must match the name of an entry in `spec.resourceClaims`';
    const found = claims.has(name) ? [] : [fieldError.invalid(field, name, why)];
    if (names.has(name)) found.push(fieldError.duplicate(field, name));
    names.add(name);
    return claim !== undefined ? [...found, ...faultErrors(subdomainFaults(claim), claim, claimField)] : found;
  });
}

const USERS = ['uid', 'gid'] as const;
const MAX_ID = 2_147_483_647;

/** The users of containers, which Windows pods do not have. */
function validateUsers(pod: Pod): FieldError[] {
  const onWindows = (pod.spec?.os?.name ?? '') === 'windows';
  return CONTAINER_LISTS.flatMap((list) =>
    (pod.status?.[list] ?? []).flatMap((status, index) => {
      const linux = status.user?.linux;
      const here = `status.${list}[${index}].user.linux`;
      if (linux === undefined) return [];
      if (onWindows) return [fieldError.forbidden(here, 'cannot be set for a windows pod')];
      return [
        ...USERS.flatMap((member) => validateId(Number(linux[member] ?? 0), `${here}.${member}`)),
        ...(linux.supplementalGroups ?? []).flatMap((group, place) =>
          validateId(Number(group), `${here}.supplementalGroups[${place}]`),
        ),
      ];
    }),
  );
}

function validateId(id: number, field: string): FieldError[] {
  if (id >= 0 && id <= MAX_ID) return [];
  return [fieldError.invalid(field, id, `must be between 0 and ${MAX_ID}, inclusive`)];
}

/** One address, or one per family; errors about all of them are reported for the list. */
function validatePodIps(status: PodStatus | undefined, legacy: LegacyAddresses): FieldError[] {
  const ips = (status?.podIPs ?? []).map((each) => each.ip ?? '');
  return validateDualStack(ips, legacy, 'status.podIPs');
}

function validateHostIps(status: PodStatus | undefined, legacy: LegacyAddresses): FieldError[] {
  const ips = (status?.hostIPs ?? []).map((each) => each.ip ?? '');
  const [first] = ips;
  if (first === undefined) return [];
  const found: FieldError[] = [];
  if (first !== (status?.hostIP ?? '')) {
    found.push(fieldError.invalid('status.hostIPs[0].ip', first, 'must be equal to `hostIP`'));
  }
  return [...found, ...validateDualStack(ips, legacy, 'status.hostIPs')];
}

function validateDualStack(ips: readonly string[], legacy: LegacyAddresses, field: string): FieldError[] {
  const found = ips.flatMap((ip, index) => legacy.ip(ip, `${field}[${index}]`));
  const wrong = ips.length < 2 ? -1 : ips.findIndex((ip) => parseIp(ip) === undefined);
  if (wrong >= 0) {
    const why = `invalid IP[${wrong}]: ${ips[wrong]}`;
    found.push(fieldError.internal(field, `failed to check for dual stack with error:${why}`));
  }
  const families = new Set(wrong >= 0 ? [] : ips.map((ip) => parseIp(ip)?.family));
  if (ips.length > 2 || (ips.length === 2 && families.size < 2)) {
    const quoted = ips.map((ip) => ({ IP: ip }));
    found.push(fieldError.invalid(field, quoted, 'may specify no more than one IP for each IP family'));
  }
  return found;
}
