// Validation of probes and lifecycle handlers.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { patternMessage } from '../../../../api/names.ts';
import { validateChoice, validateNonNegative } from '../../../validation/field-rules.ts';
import { keepable } from '../../../validation/kept-faults.ts';
import { validatePortNumberOrName } from '../../../validation/port-rules.ts';
import type { Container, Probe } from './container-objects.ts';
import type { Handler } from './handler.ts';
import type { PodSpec } from './objects.ts';
import { validateStopSignal } from './validation-previews.ts';

const HEADER_MESSAGE = patternMessage(
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  '[-A-Za-z0-9]+',
  'X-Header-Name',
);

const GRPC_MODES = ['Plaintext', 'TLS'];
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

/** Pod-level context for sleep actions. */
interface Sleeps {
  /** The pod's grace period in seconds, which no sleep may exceed. */
  readonly gracePeriod: number | bigint;
  /** Whether a sleep may be zero: the gate PodLifecycleSleepActionAllowZero. */
  readonly mayBeZero: boolean;
}

/** Exactly one handler. */
function validateHandler(handler: Handler, sleeps: Sleeps, field: string): FieldError[] {
  const [first, ...others] = HANDLERS.filter((name) => handler[name] !== undefined);
  if (first === undefined) return [fieldError.required(field, 'must specify a handler type')];
  return [
    ...validateAction(handler, sleeps, `${field}.${first}`),
    ...others.map((name) => fieldError.forbidden(`${field}.${name}`, 'may not specify more than 1 handler type')),
  ];
}

function validateAction(handler: Handler, sleeps: Sleeps, field: string): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  if (exec !== undefined) return (exec.command ?? []).length === 0 ? [fieldError.required(`${field}.command`)] : [];
  if (httpGet !== undefined) return validateHttpGet(httpGet, field);
  if (tcpSocket !== undefined) return validatePortNumberOrName(tcpSocket.port, `${field}.port`);
  if (grpc !== undefined) {
    const found = validatePortNumberOrName(grpc.port, `${field}.port`);
    return grpc.mode === undefined ? found : [...found, ...validateChoice(grpc.mode, GRPC_MODES, `${field}.mode`)];
  }
  const seconds = sleep?.seconds ?? 0;
  const { gracePeriod, mayBeZero } = sleeps;
  if ((mayBeZero ? seconds >= 0 : seconds > 0) && seconds <= gracePeriod) return [];
  const bounds = `less than terminationGracePeriodSeconds (${gracePeriod})`;
  const why = mayBeZero
    ? `must be non-negative and ${bounds}`
    : `must be greater than 0 and ${bounds}. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`;
  const found = [fieldError.invalid(field, seconds, why)];
  return seconds === 0 && !mayBeZero ? keepable('sleeps', found) : found;
}

function validateHttpGet(action: NonNullable<Handler['httpGet']>, field: string): FieldError[] {
  const { path = '', port, scheme = '', httpHeaders = [], protocol } = action;
  const found = path === '' ? [fieldError.required(`${field}.path`)] : [];
  found.push(
    ...validatePortNumberOrName(port, `${field}.port`),
    ...validateChoice(scheme, ['HTTP', 'HTTPS'], `${field}.scheme`),
  );
  for (const { name = '' } of httpHeaders) {
    if (!/^[-A-Za-z0-9]+$/.test(name)) found.push(fieldError.invalid(`${field}.httpHeaders`, name, HEADER_MESSAGE));
  }
  return protocol === undefined ? found : [...found, ...validateProtocol(protocol, action, field)];
}

/** HTTP/2 is spoken without TLS, to the pod itself. */
function validateProtocol(
  protocol: string,
  { scheme, host = '' }: NonNullable<Handler['httpGet']>,
  field: string,
): FieldError[] {
  const here = `${field}.protocol`;
  if (protocol !== 'HTTP2') return validateChoice(protocol, ['HTTP1', 'HTTP2'], here);
  if (scheme !== 'HTTP') return [fieldError.invalid(here, protocol, 'is only supported with HTTP (H2C)')];
  return host === '' ? [] : [fieldError.invalid(`${field}.host`, host, 'must be empty when `protocol` is "HTTP2"')];
}

const COUNTS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function validateProbe(probe: Probe, sleeps: Sleeps, field: string): FieldError[] {
  const found = validateHandler(probe, sleeps, field);
  for (const count of COUNTS) found.push(...validateNonNegative(probe[count] ?? 0, `${field}.${count}`));
  const seconds = probe.terminationGracePeriodSeconds;
  if (seconds !== undefined && seconds <= 0) {
    found.push(fieldError.invalid(`${field}.terminationGracePeriodSeconds`, seconds, 'must be greater than 0'));
  }
  return found;
}

/** The success threshold of probes that restart the container must be one. */
function validateRestartingProbe(probe: Probe, sleeps: Sleeps, field: string): FieldError[] {
  const found = validateProbe(probe, sleeps, field);
  const threshold = probe.successThreshold ?? 0;
  if (threshold !== 1) found.push(fieldError.invalid(`${field}.successThreshold`, threshold, 'must be 1'));
  return found;
}

function validateReadinessProbe(probe: Probe, sleeps: Sleeps, field: string): FieldError[] {
  const found = validateProbe(probe, sleeps, field);
  const seconds = probe.terminationGracePeriodSeconds;
  if (seconds === undefined) return found;
  const why = 'must not be set for readinessProbes';
  return [...found, fieldError.invalid(`${field}.terminationGracePeriodSeconds`, seconds, why)];
}

/** The handlers and probes of a sidecar; ordinary init containers must have none. */
export function validateRunning(
  container: Container,
  { spec, zeroSleeps }: { readonly spec: PodSpec; readonly zeroSleeps: boolean },
  field: string,
): FieldError[] {
  const sleeps = { gracePeriod: spec.terminationGracePeriodSeconds ?? 0, mayBeZero: zeroSleeps };
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  const found: FieldError[] = [];
  if (lifecycle?.postStart !== undefined) {
    found.push(...validateHandler(lifecycle?.postStart, sleeps, `${field}.lifecycle.postStart`));
  }
  if (lifecycle?.preStop !== undefined) {
    found.push(...validateHandler(lifecycle?.preStop, sleeps, `${field}.lifecycle.preStop`));
  }
  if (lifecycle?.stopSignal !== undefined) {
    found.push(...validateStopSignal(lifecycle.stopSignal, spec, `${field}.lifecycle.stopSignal`));
  }
  if (livenessProbe !== undefined) {
    found.push(...validateRestartingProbe(livenessProbe, sleeps, `${field}.livenessProbe`));
  }
  if (readinessProbe !== undefined) {
    found.push(...validateReadinessProbe(readinessProbe, sleeps, `${field}.readinessProbe`));
  }
  if (startupProbe !== undefined) {
    found.push(...validateRestartingProbe(startupProbe, sleeps, `${field}.startupProbe`));
  }
  return found;
}
