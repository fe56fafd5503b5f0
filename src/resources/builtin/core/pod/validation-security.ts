// Validation of security contexts: users and groups, profiles, sysctls, and fields for Linux or Windows only.

import { type FieldError, type FieldErrors, fieldError } from '../../../../api/errors.ts';
import { byteLength, subdomainFaults } from '../../../../api/names.ts';
import { joined, NONE, ofItems } from '../../../../base/findings.ts';
import { validateChoice } from '../../../validation/field-rules.ts';
import { inGoForm, SECURITY_CONTEXT } from '../../../validation/go-form.ts';
import { keepable } from '../../../validation/kept-faults.ts';
import { validateDescendingPath } from '../../../validation/pod-references.ts';
import { wholeObject } from '../../../validation/whole-objects.ts';
import type { PodSpec } from './objects.ts';
import { SeccompProfile as SeccompProfileType } from './security-context.ts';
import type { SeccompProfile, SecurityContext, WindowsSecurityContextOptions } from './security-context-objects.ts';

const MAX_ID = 2_147_483_647;

function validateId(id: number | bigint | undefined, field: string): FieldErrors {
  if (id === undefined || (id >= 0 && id <= MAX_ID)) return NONE;
  return [fieldError.invalid(field, id, `must be between 0 and ${MAX_ID}, inclusive`)];
}

export interface SecuritySurroundings {
  /** Whether the pod uses the host's user namespace. */
  readonly hostUsers: boolean;
  /** Whether privileged containers are forbidden. */
  readonly refusesPrivileged: boolean;
}

export function validateSecurityContext(
  context: SecurityContext,
  { hostUsers, refusesPrivileged }: SecuritySurroundings,
  field: string,
): FieldErrors {
  const { privileged, runAsUser, runAsGroup, procMount, seccompProfile } = context;
  return joined(
    privileged === true && refusesPrivileged
      ? [fieldError.forbidden(`${field}.privileged`, 'disallowed by cluster policy')]
      : NONE,
    validateId(runAsUser, `${field}.runAsUser`),
    validateId(runAsGroup, `${field}.runAsGroup`),
    procMount === undefined ? NONE : validateProcMount(procMount, hostUsers, `${field}.procMount`),
    seccompProfile === undefined ? NONE : validateSeccomp(seccompProfile, `${field}.seccompProfile`),
    validateEscalation(context, field),
    validateOptions(context, field),
  );
}

function validateProcMount(procMount: string, hostUsers: boolean, field: string): FieldErrors {
  const why = '`hostUsers` must be false to use `Unmasked`';
  return joined(
    validateChoice(procMount, ['Default', 'Unmasked'], field),
    procMount === 'Unmasked' && hostUsers ? [fieldError.invalid(field, procMount, why)] : NONE,
  );
}

/** Common to pods and containers. */
function validateOptions(
  { windowsOptions, appArmorProfile }: Pick<SecurityContext, 'windowsOptions' | 'appArmorProfile'>,
  field: string,
): FieldErrors {
  return joined(
    windowsOptions === undefined ? NONE : validateWindowsOptions(windowsOptions, `${field}.windowsOptions`),
    appArmorProfile === undefined ? NONE : validateAppArmor(appArmorProfile, `${field}.appArmorProfile`),
  );
}

/** Privilege escalation cannot be forbidden for a container that has all privileges. */
function validateEscalation(context: SecurityContext, field: string): FieldErrors {
  if (context.allowPrivilegeEscalation !== false) return NONE;
  const found: FieldError[] = [];
  const refuse = (what: string) =>
    found.push(
      fieldError.invalid(
        field,
        inGoForm(context, SECURITY_CONTEXT),
        `cannot set \`allowPrivilegeEscalation\` to false and ${what}`,
      ),
    );
  if (context.privileged === true) refuse('`privileged` to true');
  for (const capability of context.capabilities?.add ?? []) {
    if (capability === 'CAP_SYS_ADMIN') refuse('`capabilities.Add` CAP_SYS_ADMIN');
  }
  return found;
}

const PROFILES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

const SECCOMP = { type: SeccompProfileType };

function validateSeccomp(profile: SeccompProfile, field: string): FieldError[] {
  const { type = '', localhostProfile } = profile;
  const found =
    type === ''
      ? [fieldError.required(`${field}.type`, 'type is required when seccompProfile is set')]
      : validateChoice(type, PROFILES, `${field}.type`);
  const here = `${field}.localhostProfile`;
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return found;
    return [
      ...found,
      fieldError.invalid(here, wholeObject(SECCOMP, profile), 'can only be set when seccomp type is Localhost'),
    ];
  }
  if (localhostProfile === undefined) {
    return [...found, fieldError.required(here, 'must be set when seccomp type is Localhost')];
  }
  return [...found, ...validateDescendingPath(localhostProfile, here)];
}

const APP_ARMOR_BYTES = 4095;

/** Validation of an AppArmor profile. */
export function validateAppArmor({ type = '', localhostProfile }: SeccompProfile, field: string): FieldError[] {
  const here = `${field}.localhostProfile`;
  switch (type) {
    case 'Localhost':
      return validateAppArmorProfile(localhostProfile, here);
    case 'RuntimeDefault':
    case 'Unconfined':
      if (localhostProfile === undefined) return [];
      return [fieldError.invalid(here, localhostProfile, 'can only be set when AppArmor type is Localhost')];
    case '':
      return [fieldError.required(`${field}.type`, 'type is required when appArmorProfile is set')];
    default:
      return [fieldError.notSupported(`${field}.type`, type, PROFILES)];
  }
}

function validateAppArmorProfile(profile: string | undefined, field: string): FieldError[] {
  const missing = fieldError.required(field, 'must be set when AppArmor type is Localhost');
  if (profile === undefined) return [missing];
  const found: FieldError[] = [];
  if (profile.trim() !== profile) found.push(fieldError.invalid(field, profile, 'must not be padded with whitespace'));
  else if (profile === '') found.push(missing);
  if (byteLength(profile) > APP_ARMOR_BYTES) found.push(fieldError.tooLong(field, APP_ARMOR_BYTES));
  return found;
}

const CREDENTIAL_SPEC_KIB = 64;

function validateWindowsOptions(options: WindowsSecurityContextOptions, field: string): FieldError[] {
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName } = options;
  const found: FieldError[] = [];
  const at = `${field}.gmsaCredentialSpecName`;
  if (name !== undefined) {
    found.push(...subdomainFaults(name).map((each) => fieldError.invalidPointer(at, name, each)));
  }
  const here = `${field}.gmsaCredentialSpec`;
  if (spec === '') found.push(fieldError.invalidPointer(here, spec, 'gmsaCredentialSpec cannot be an empty string'));
  else if (spec !== undefined && byteLength(spec) > CREDENTIAL_SPEC_KIB * 1024) {
    const why = `gmsaCredentialSpec size must be under ${CREDENTIAL_SPEC_KIB} KiB`;
    found.push(fieldError.invalidPointer(here, spec, why));
  }
  if (runAsUserName === undefined) return found;
  return [
    ...found,
    ...userNameFaults(runAsUserName).map((each) =>
      fieldError.invalidPointer(`${field}.runAsUserName`, runAsUserName, each),
    ),
  ];
}

const DOMAIN_BYTES = 256;
const USER_BYTES = 104;
const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_LABEL = /^[0-9A-Za-z-]{1,63}$/;

function isDnsName(text: string): boolean {
  return text.split('.').every((label) => DNS_LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-'));
}

/** `user` or `domain\user`, the Windows forms. */
function userNameFaults(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (/[\0-\x1f\x7f]/.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? parts[0] : undefined;
  const found: string[] = [];
  if (domain !== undefined && byteLength(domain) >= DOMAIN_BYTES) {
    found.push(`runAsUserName's Domain length must be under ${DOMAIN_BYTES} characters`);
  }
  if (domain !== undefined && !NETBIOS.test(domain) && !isDnsName(domain)) {
    found.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === '') found.push("runAsUserName's User cannot be empty");
  else if (byteLength(user) > USER_BYTES) {
    found.push(`runAsUserName's User length must not be longer than ${USER_BYTES} characters`);
  }
  if (/^[. ]+$/.test(user)) found.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    found.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  }
  return found;
}

function ofChoice(value: string | undefined, choices: readonly string[], field: string): FieldErrors {
  return value === undefined ? NONE : validateChoice(value, choices, field);
}

/**
 * The security context of a pod, including pod-wide fields.
 *
 * @param mountsLabels whether SELinux labels may be changed by mounting
 */
export function validatePodSecurity(spec: PodSpec, field: string, mountsLabels = true): FieldErrors {
  const { securityContext: context } = spec;
  if (context === undefined) return NONE;
  const { seccompProfile } = context;
  return joined(
    validateId(context.fsGroup, `${field}.fsGroup`),
    validateId(context.runAsUser, `${field}.runAsUser`),
    validateId(context.runAsGroup, `${field}.runAsGroup`),
    ofItems(context.supplementalGroups, (group, index) => validateId(group, `${field}.supplementalGroups[${index}]`)),
    validateProcesses(spec, `${field}.shareProcessNamespace`),
    validateSysctls(spec, `${field}.sysctls`),
    ofChoice(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], `${field}.fsGroupChangePolicy`),
    seccompProfile === undefined ? NONE : validateSeccomp(seccompProfile, `${field}.seccompProfile`),
    validateOptions(context, field),
    ofChoice(context.supplementalGroupsPolicy, ['Merge', 'Strict'], `${field}.supplementalGroupsPolicy`),
    validateLabelChange(context.seLinuxChangePolicy, mountsLabels, `${field}.seLinuxChangePolicy`),
  );
}

function validateLabelChange(policy: string | undefined, mountsLabels: boolean, field: string): FieldErrors {
  const found = ofChoice(policy, mountsLabels ? ['MountOption', 'Recursive'] : ['Recursive'], field);
  return policy === 'MountOption' ? keepable('label changes', found) : found;
}

function validateProcesses({ shareProcessNamespace, hostPID }: PodSpec, field: string): FieldErrors {
  if (shareProcessNamespace !== true || hostPID !== true) return NONE;
  return [fieldError.invalid(field, true, 'ShareProcessNamespace and HostPID cannot both be enabled')];
}

const SYSCTL_BYTES = 253;
const SYSCTL = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const IS_SYSCTL = new RegExp(SYSCTL);

function validateSysctls(spec: PodSpec, field: string): FieldErrors {
  const sysctls = spec.securityContext?.sysctls;
  if (sysctls === undefined) return NONE;
  const found: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { name = '' }] of sysctls.entries()) {
    const here = `${field}[${index}].name`;
    if (name === '') found.push(fieldError.required(here));
    else if (name.length > SYSCTL_BYTES || !IS_SYSCTL.test(name)) {
      const why = `must have at most ${SYSCTL_BYTES} characters and match regex ${SYSCTL}`;
      found.push(fieldError.invalid(here, name, why));
    } else if (seen.has(name)) found.push(fieldError.duplicate(here, name));
    found.push(...keepable('sysctls', validateNamespaced(name, spec, here)));
    seen.add(name);
  }
  return found;
}

/** Namespaced sysctls can't be set if the pod shares that namespace with the host. */
function validateNamespaced(name: string, spec: PodSpec, field: string): FieldError[] {
  const dotted = name.replaceAll('/', '.');
  if (spec.hostNetwork === true && dotted.startsWith('net.')) {
    return [fieldError.invalid(field, name, "may not be specified when 'hostNetwork' is true")];
  }
  if (spec.hostIPC === true && /^(kernel\.sem$|kernel\.shm|kernel\.msg|fs\.mqueue\.)/.test(dotted)) {
    return [fieldError.invalid(field, name, "may not be specified when 'hostIPC' is true")];
  }
  return [];
}
