// Validation of pod fields behind feature gates, which are absent while their gate is disabled.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { subdomainFaults } from '../../../../api/names.ts';
import { byteLength } from '../../../../base/byte-length.ts';
import { firstBy } from '../../../../base/first-places.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import { faultErrors, validateChoice } from '../../../validation/field-rules.ts';
import { keepable } from '../../../validation/kept-faults.ts';
import { Lifecycle } from './container.ts';
import type { Container, ContainerRestartRule } from './container-objects.ts';
import type { PodSpec } from './objects.ts';
import type { PodRules } from './pod-rules.ts';

const MAX_RULES = 20;
const MAX_CODES = 255;
const HOSTNAME_BYTES = 64;
const SIGNALS = [...(Lifecycle.jsonFields.get('stopSignal')?.enum ?? [])].map(String).sort();

/** The first minor release of Kubernetes 1 with restart policies of containers that are no sidecars. */
const RESTART_POLICIES = 34;

/** Restart policy and restart rules of containers. */
export function validateRestarts(container: Container, field: string, rules: PodRules): FieldError[] {
  const { restartPolicy, restartPolicyRules = [] } = container;
  if (!isSince(rules, RESTART_POLICIES)) {
    if (restartPolicy === undefined) return [];
    return [fieldError.forbidden(`${field}.restartPolicy`, 'may not be set for non-init containers')];
  }
  const found: FieldError[] = [];
  const actions = restartsAll(rules) ? ['Restart', RESTART_ALL] : ['Restart'];
  const here = `${field}.restartPolicy`;
  if (restartPolicy !== undefined) found.push(...validateChoice(restartPolicy, ['Always', 'Never', 'OnFailure'], here));
  else if (restartPolicyRules.length > 0) found.push(fieldError.required(here, POLICY_NEEDED));
  const list = `${field}.restartPolicyRules`;
  if (restartPolicyRules.length > MAX_RULES) found.push(tooManyRules(restartPolicyRules.length, rules, list));
  const ofRule = (rule: ContainerRestartRule, at: number) => validateRule(rule, { actions, rules }, `${list}[${at}]`);
  return [...found, ...restartPolicyRules.flatMap(ofRule)];
}

const RESTART_ALL = 'RestartAllContainers';
const POLICY_NEEDED = 'must specify restartPolicy when restart rules are used';

function restartsAll({ gateEnabled }: PodRules): boolean {
  return gateEnabled?.('RestartAllContainersOnContainerExits') === true;
}

/** Whether a rule may restart all containers of a pod, so that each of them may leave the state terminated. */
export function mayRestartAll({ initContainers, containers }: PodSpec, rules: PodRules): boolean {
  if (!restartsAll(rules)) return false;
  return [...(initContainers ?? []), ...(containers ?? [])].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === RESTART_ALL),
  );
}

function tooManyRules(count: number, rules: PodRules, field: string, most = MAX_RULES): FieldError {
  return isSince(rules, 36) ? fieldError.tooMany(field, count, most) : fieldError.tooLong(field, most);
}

interface RuleContext {
  readonly actions: readonly string[];
  readonly rules: PodRules;
}

function validateRule(
  { action = '', exitCodes }: ContainerRestartRule,
  { actions, rules }: RuleContext,
  field: string,
): FieldError[] {
  const faults = validateChoice(action, actions, `${field}.action`);
  const found = action === RESTART_ALL ? keepable('restarts of all containers', faults) : faults;
  if (exitCodes === undefined) return [...found, fieldError.required(`${field}.exitCodes`, 'must be specified')];
  const { operator = '', values = [] } = exitCodes;
  const here = `${field}.exitCodes.values`;
  const tooMany = values.length > MAX_CODES ? [tooManyRules(values.length, rules, here, MAX_CODES)] : [];
  return [...found, ...validateChoice(operator, ['In', 'NotIn'], `${field}.exitCodes.operator`), ...tooMany];
}

/** The same for init containers: sidecars have no rules, unless these may restart all containers. */
export function validateInitRestarts(container: Container, field: string, rules: PodRules): FieldError[] {
  const { restartPolicy, restartPolicyRules = [] } = container;
  if (restartPolicy === undefined) {
    const isTold = restartPolicyRules.length > 0 && isSince(rules, 35);
    return isTold ? [fieldError.required(`${field}.restartPolicy`, POLICY_NEEDED)] : [];
  }
  if (!isSince(rules, RESTART_POLICIES)) return validateChoice(restartPolicy, ['Always'], `${field}.restartPolicy`);
  if (restartPolicy !== 'Always' || restartsAll(rules)) return validateRestarts(container, field, rules);
  const why = 'restartPolicyRules are not allowed for init containers with restart policy Always';
  return restartPolicyRules.length > 0 ? [fieldError.forbidden(`${field}.restartPolicyRules`, why)] : [];
}

/** Valid stop signals depend on the pod's operating system. */
export function validateStopSignal(signal: string, { os }: PodSpec, field: string): FieldError[] {
  if (os === undefined) return [fieldError.forbidden(field, 'may not be set for containers with empty `spec.os.name`')];
  if (os.name === 'windows') return validateChoice(signal, ['SIGKILL', 'SIGTERM'], field);
  return os.name === 'linux' ? validateChoice(signal, SIGNALS, field) : [];
}

export function validateHostnameOverride(spec: PodSpec, field: string): FieldError[] {
  const { hostnameOverride: name, setHostnameAsFQDN, hostNetwork } = spec;
  if (name === undefined) return [];
  const here = `${field}.hostnameOverride`;
  const found: FieldError[] = [];
  if (setHostnameAsFQDN === true) {
    found.push(fieldError.forbidden(here, 'may not be specified when setHostnameAsFQDN is true'));
  }
  if (hostNetwork === true) found.push(fieldError.forbidden(here, 'may not be specified when hostNetwork is true'));
  if (byteLength(name) > HOSTNAME_BYTES) found.push(fieldError.tooLong(here, HOSTNAME_BYTES));
  return [...found, ...faultErrors(subdomainFaults(name), name, here)];
}

/** Files with variables must be in emptyDir volumes. */
export function validateFileVolumes(spec: PodSpec, field: string): FieldError[] {
  const volumes = firstBy(spec.volumes ?? [], ({ name }) => name);
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ env = [] }, at) =>
      env.flatMap(({ valueFrom }, index) => {
        const name = valueFrom?.fileKeyRef?.volumeName;
        if (valueFrom?.fileKeyRef === undefined) return [];
        const here = `${field}.${list}[${at}].env[${index}].valueFrom.fileKeyRef.volumeName`;
        const volume = volumes.get(name ?? '');
        if (volume === undefined) return [fieldError.notFound(here, name ?? '')];
        if (volume.emptyDir !== undefined) return [];
        return [fieldError.invalid(here, name, 'referenced volume must be of type emptyDir')];
      }),
    ),
  );
}
