// Validation of pod fields behind feature gates, which are absent while their gate is disabled.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { subdomainFaults } from '../../../../api/names.ts';
import { byteLength } from '../../../../base/byte-length.ts';
import { faultErrors, validateChoice } from '../../../validation/field-rules.ts';
import { Lifecycle } from './container.ts';
import type { Container, ContainerRestartRule } from './container-objects.ts';
import type { PodSpec } from './objects.ts';

const MAX_RULES = 20;
const MAX_CODES = 255;
const HOSTNAME_BYTES = 64;
const SIGNALS = [...(Lifecycle.jsonFields.get('stopSignal')?.enum ?? [])].map(String).sort();

/** Restart policy and restart rules of containers. */
export function validateRestarts(container: Container, field: string): FieldError[] {
  const { restartPolicy, restartPolicyRules: rules = [] } = container;
  const found: FieldError[] = [];
  const here = `${field}.restartPolicy`;
  if (restartPolicy !== undefined) found.push(...validateChoice(restartPolicy, ['Always', 'Never', 'OnFailure'], here));
  else if (rules.length > 0)
    found.push(fieldError.required(here, 'must specify restartPolicy when restart rules are used'));
  if (rules.length > MAX_RULES) found.push(fieldError.tooLong(`${field}.restartPolicyRules`, MAX_RULES));
  return [...found, ...rules.flatMap((rule, index) => validateRule(rule, `${field}.restartPolicyRules[${index}]`))];
}

function validateRule({ action = '', exitCodes }: ContainerRestartRule, field: string): FieldError[] {
  const found = validateChoice(action, ['Restart'], `${field}.action`);
  if (exitCodes === undefined) return [...found, fieldError.required(`${field}.exitCodes`, 'must be specified')];
  const { operator = '', values = [] } = exitCodes;
  const tooMany = values.length > MAX_CODES ? [fieldError.tooLong(`${field}.exitCodes.values`, MAX_CODES)] : [];
  return [...found, ...validateChoice(operator, ['In', 'NotIn'], `${field}.exitCodes.operator`), ...tooMany];
}

/** The same for init containers: sidecars have no rules. */
export function validateInitRestarts(container: Container, field: string): FieldError[] {
  const { restartPolicy, restartPolicyRules: rules = [] } = container;
  if (restartPolicy === undefined) return [];
  if (restartPolicy !== 'Always') return validateRestarts(container, field);
  const why = 'restartPolicyRules are not allowed for init containers with restart policy Always';
  return rules.length > 0 ? [fieldError.forbidden(`${field}.restartPolicyRules`, why)] : [];
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
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ env = [] }, at) =>
      env.flatMap(({ valueFrom }, index) => {
        const name = valueFrom?.fileKeyRef?.volumeName;
        if (valueFrom?.fileKeyRef === undefined) return [];
        const here = `${field}.${list}[${at}].env[${index}].valueFrom.fileKeyRef.volumeName`;
        const volume = spec.volumes?.find((each) => each.name === (name ?? ''));
        if (volume === undefined) return [fieldError.notFound(here, name ?? '')];
        if (volume.emptyDir !== undefined) return [];
        return [fieldError.invalid(here, name, 'referenced volume must be of type emptyDir')];
      }),
    ),
  );
}
