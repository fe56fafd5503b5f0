// Validation of pods and pod templates. Each subject has a file of its own: validation-containers.ts,
// validation-scheduling.ts and so on; updates are in validation-update.ts.

import { type FieldError, type FieldErrors, fieldError } from '../../../../api/errors.ts';
import { validateAnnotations, validateLabels } from '../../../../api/metadata-validation.ts';
import { labelFaults, subdomainFaults } from '../../../../api/names.ts';
import type { ObjectMeta } from '../../../../api/object.ts';
import { joined, NONE, ofItems } from '../../../../base/findings.ts';
import { part } from '../../../../base/resumed.ts';
import type { StrategyContext } from '../../../definition.ts';
import { faultErrors, validateChoice, validateRange } from '../../../validation/field-rules.ts';
import { inGoForm, POD_RESOURCE_CLAIM } from '../../../validation/go-form.ts';
import { type LegacyAddresses, legacyAddresses } from '../../../validation/ip-addresses.ts';
import { validateLabelKey } from '../../../validation/label-selector.ts';
import { validateVolumes } from '../volume/validation.ts';
import { validateAppArmorAgrees } from './app-armor.ts';
import { KnownPodSpecs } from './known-specs.ts';
import type { Pod, PodResourceClaim, PodSpec, PodTemplateSpec } from './objects.ts';
import type { PodRules } from './pod-rules.ts';
import { validatePodAnnotations, validateSeccompAgrees } from './validation-annotations.ts';
import { validateAllContainers, validateHostNetworkPorts, validateImages } from './validation-containers.ts';
import { validateGroup } from './validation-groups.ts';
import { validateDns, validateHostAliases } from './validation-network.ts';
import { validateHostProcess, validateHostUsers, validateOs } from './validation-platform.ts';
import { validateFileVolumes, validateHostnameOverride } from './validation-previews.ts';
import { ClaimNames, validatePodResources, validateResources } from './validation-resources.ts';
import {
  validateAffinity,
  validateSchedulingGates,
  validateSpreadConstraints,
  validateTolerations,
} from './validation-scheduling.ts';
import { validatePodSecurity } from './validation-security.ts';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never'];
const MAX_SECONDS = 2_147_483_647;

/** Rules for any pod. Its metadata is validated by the caller. */
export function validatePod(pod: Pod, rules?: PodRules & Pick<StrategyContext, 'isFinal'>): FieldErrors {
  const spec = podSpec(pod);
  const { annotations } = pod.metadata;
  return joined(
    annotations === undefined
      ? NONE
      : validatePodAnnotations(annotations, spec, { field: 'metadata.annotations', rules: rules ?? {} }),
    validateOwnSpec(spec, pod.metadata, rules ?? {}),
  );
}

function validateOwnSpec(
  spec: PodSpec,
  metadata: ObjectMeta,
  rules: PodRules & Pick<StrategyContext, 'isFinal'>,
): FieldErrors {
  // What is remembered meanwhile does not change which parts there are.
  return part(() => {
    const known = rules.isFinal === true ? rules.memory?.of(KnownPodSpecs).of(spec) : undefined;
    if (known?.isSound === true) return NONE;
    const found = joined(
      validatePodSpec(spec, { metadata, rules }, 'spec'),
      validateAccountTokens(spec, 'spec'),
      validateImages(spec, 'spec'),
    );
    if (known !== undefined) known.isSound = found.length === 0;
    return found;
  });
}

/** Additional rules for new pods. */
export function validateNewPod(pod: Pod): FieldErrors {
  const spec = podSpec(pod);
  const found: FieldError[] = [];
  if ((spec.ephemeralContainers ?? []).length > 0) {
    found.push(fieldError.forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if ((spec.nodeName ?? '') !== '' && (spec.schedulingGates ?? []).length > 0) {
    found.push(fieldError.forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  return joined(
    found,
    validateSeccompAgrees(pod.metadata, spec, 'spec'),
    validateAppArmorAgrees(pod.metadata, spec, 'spec'),
  );
}

export function podSpec(pod: Pod): PodSpec {
  return (pod['spec'] ?? {}) as PodSpec;
}

/** A pod template. `field` is its path: `spec.template`. */
export function validatePodTemplate(
  template: PodTemplateSpec | undefined,
  field: string,
  rules: PodRules = {},
): FieldError[] {
  const { metadata = {}, spec = {} } = (template !== undefined ? template : {}) as PodTemplateSpec;
  // Kubernetes omits `metadata` in these paths.
  const found = [
    ...validateLabels(metadata.labels, `${field}.labels`),
    ...validateAnnotations(metadata.annotations, `${field}.annotations`),
    ...validatePodAnnotations(metadata.annotations ?? {}, spec, { field: `${field}.annotations`, rules }),
    ...validatePodSpec(spec, { rules }, `${field}.spec`),
    ...validateSeccompAgrees(metadata, spec, `${field}.spec`),
  ];
  if ((spec.ephemeralContainers ?? []).length === 0) return found;
  const why = 'ephemeral containers not allowed in pod template';
  return [...found, fieldError.forbidden(`${field}.spec.ephemeralContainers`, why)];
}

interface PodSpecPlace {
  /** The pod's; undefined for a template. */
  readonly metadata?: ObjectMeta;
  readonly rules: PodRules;
}

function validatePodSpec(spec: PodSpec, { metadata, rules }: PodSpecPlace, field: string): FieldErrors {
  const isPod = metadata !== undefined;
  const refusesPrivileged = rules.allowPrivileged === false;
  const isOff = (gate: string) => rules.gateEnabled?.(gate) === false;
  const environment = {
    readsFiles: rules.gateEnabled?.('EnvFiles') === true,
    strictNames: isOff('RelaxedEnvironmentVariableValidation'),
  };
  const zeroSleeps = !isOff('PodLifecycleSleepActionAllowZero');
  const legacy = legacyAddresses(rules);
  const volumes = validateVolumes(spec.volumes ?? [], { metadata, rules }, `${field}.volumes`);
  return joined(
    volumes.found,
    validateResourceClaims(spec.resourceClaims, metadata?.name ?? '', `${field}.resourceClaims`),
    validateAllContainers(
      {
        spec,
        claims: new ClaimNames(spec.resourceClaims),
        refusesPrivileged,
        environment,
        zeroSleeps,
        volumes: volumes.sound,
        rules,
      },
      field,
    ),
    validatePodResources(spec, `${field}.resources`),
    validateHostNetworkPorts({ spec, isPod }, field),
    validatePolicy(spec.restartPolicy, RESTART_POLICIES, `${field}.restartPolicy`),
    validatePolicy(spec.dnsPolicy, DNS_POLICIES, `${field}.dnsPolicy`),
    validateLabels(spec.nodeSelector, `${field}.nodeSelector`),
    validatePodSecurity(spec, `${field}.securityContext`, !isOff('SELinuxMount')),
    spec.affinity === undefined ? NONE : validateAffinity(spec.affinity, `${field}.affinity`, rules),
    validateDns(spec, { isStrict: isOff('RelaxedDNSSearchValidation'), legacy }, `${field}.dnsConfig`),
    ofItems(spec.readinessGates, ({ conditionType = '' }, index) =>
      validateLabelKey(conditionType, `${field}.readinessGates[${index}].conditionType`),
    ),
    validateSchedulingGates(spec.schedulingGates, `${field}.schedulingGates`),
    validateSpreadConstraints(
      spec.topologySpreadConstraints,
      !isOff('MatchLabelKeysInPodTopologySpreadSelectorMerge'),
      `${field}.topologySpreadConstraints`,
    ),
    validateHostProcess(spec, refusesPrivileged, field),
    validateHostUsers(spec, rules, field),
    validateGroup(spec, field),
    validateHostnameOverride(spec, field),
    validateScalars(spec, { legacy, rules }, field),
    validateOs(spec, rules, field),
    validateFileVolumes(spec, field),
  );
}

/** An empty policy is missing, any other must be supported. */
function validatePolicy(policy = '', choices: readonly string[], field: string): FieldErrors {
  return policy === '' ? [fieldError.required(field)] : validateChoice(policy, choices, field);
}

/** Individual names and numbers. */
function validateScalars(
  spec: PodSpec,
  { legacy, rules }: { readonly legacy: LegacyAddresses; readonly rules: PodRules },
  field: string,
): FieldErrors {
  const { preemptionPolicy, overhead } = spec;
  return joined(
    validateName(spec.serviceAccountName, subdomainFaults, `${field}.serviceAccountName`),
    validateName(spec.nodeName, subdomainFaults, `${field}.nodeName`),
    validateDeadline(spec.activeDeadlineSeconds, `${field}.activeDeadlineSeconds`),
    validateName(spec.hostname, labelFaults, `${field}.hostname`),
    validateName(spec.subdomain, labelFaults, `${field}.subdomain`),
    validateTolerations(spec.tolerations, `${field}.tolerations`, rules),
    spec.hostAliases === undefined ? NONE : validateHostAliases(spec.hostAliases, legacy, `${field}.hostAliases`),
    validateName(spec.priorityClassName, subdomainFaults, `${field}.priorityClassName`),
    spec.runtimeClassName === undefined
      ? NONE
      : faultErrors(subdomainFaults(spec.runtimeClassName), spec.runtimeClassName, `${field}.runtimeClassName`),
    preemptionPolicy === undefined
      ? NONE
      : validatePolicy(preemptionPolicy, PREEMPTION_POLICIES, `${field}.preemptionPolicy`),
    overhead === undefined
      ? NONE
      : validateResources({ limits: overhead }, { claims: new ClaimNames() }, `${field}.overhead`),
  );
}

function validateName(name = '', rule: (text: string) => readonly string[], field: string): FieldErrors {
  return name === '' ? NONE : faultErrors(rule(name), name, field);
}

function validateDeadline(seconds: number | bigint | undefined, field: string): FieldErrors {
  if (seconds === undefined || validateRange(Number(seconds), [1, MAX_SECONDS], '').length === 0) return NONE;
  return [fieldError.invalid(field, seconds, `must be between 1 and ${MAX_SECONDS}, inclusive`)];
}

function validateResourceClaims(
  claims: readonly PodResourceClaim[] | undefined,
  podName: string,
  field: string,
): FieldErrors {
  if (claims === undefined) return NONE;
  const isNamed = podName !== '' && subdomainFaults(podName).length === 0;
  const found: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, claim] of claims.entries()) {
    const here = `${field}[${index}]`;
    const { name = '', resourceClaimTemplateName } = claim;
    if (name === '') found.push(fieldError.required(`${here}.name`));
    else if (names.has(name)) found.push(fieldError.duplicate(`${here}.name`, name));
    else {
      const faults = labelFaults(name);
      found.push(...faultErrors(faults, name, `${here}.name`));
      if (faults.length === 0 && isNamed && resourceClaimTemplateName !== undefined) {
        const made = `${podName}-${name}`;
        const wrong = subdomainFaults(made).map((each) => `final ResourceClaim name: ${each}`);
        found.push(...faultErrors(wrong, made, `${here}.name`));
      }
      names.add(name);
    }
    found.push(...validateClaimSource(claim, here));
  }
  return found;
}

function validateClaimSource(claim: PodResourceClaim, field: string): FieldError[] {
  const found: FieldError[] = [];
  const { resourceClaimName, resourceClaimTemplateName } = claim;
  const said = () => inGoForm(claim, POD_RESOURCE_CLAIM);
  if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
    const why = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
    found.push(fieldError.invalid(field, said(), why));
  }
  if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
    const why = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
    found.push(fieldError.invalid(field, said(), why));
  }
  for (const member of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
    const name = claim[member];
    if (name !== undefined) found.push(...faultErrors(subdomainFaults(name), name, `${field}.${member}`));
  }
  return found;
}

/** Without a service account there is no token to project. */
function validateAccountTokens(spec: PodSpec, field: string): FieldErrors {
  if ((spec.serviceAccountName ?? '') !== '') return NONE;
  const found: FieldError[] = [];
  for (const [index, volume] of (spec.volumes ?? []).entries()) {
    for (const [at, source] of (volume.projected?.sources ?? []).entries()) {
      if (source === undefined || source['serviceAccountToken'] === undefined) continue;
      const here = `${field}.volumes[${index}].projected.sources[${at}].serviceAccountToken`;
      found.push(fieldError.forbidden(here, 'must not be specified when serviceAccountName is not set'));
    }
  }
  return found;
}
