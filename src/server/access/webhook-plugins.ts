// Configuration of the admission plugins that call webhooks: the backend of ImagePolicyWebhook, and the credentials for
// admission webhooks. Both refer to kubeconfig files.

import { isAbsolute } from 'node:path';
import type { PluginConfiguration } from '../../admission/plugin-configuration.ts';
import type { CallObserver } from '../../api/call-trace.ts';
import { fieldError, fieldErrorBody } from '../../api/errors.ts';
import type { Json } from '../../api/object.ts';
import type { Clock } from '../../base/clock.ts';
import { formatGoDuration } from '../../base/go-duration.ts';
import type { Random } from '../../base/random.ts';
import type { Dial } from '../../outbound/dial.ts';
import { readKubeconfig, readWebhookUsers } from '../../outbound/kubeconfig.ts';
import { KubeconfigClient } from '../../outbound/kubeconfig-client.ts';
import type { WebhookUsers } from '../../outbound/webhook-call.ts';
import { WebhookQuestion } from '../../outbound/webhook-question.ts';
import { at, numberAt, textAt } from '../../resources/value.ts';
import { readText } from '../files.ts';

export interface WebhookPluginNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly dial: Dial;
  readonly observeCall?: CallObserver;
}

const MINUTE_MS = 60_000;
/** Timeout of one call, as in kube-apiserver's client. */
const TIMEOUT_MS = 30_000;

interface Period {
  /** Of the number in the file, in milliseconds. */
  readonly unitMs: number;
  readonly leastMs: number;
  readonly mostMs: number;
  readonly usualMs: number;
}

const BACKOFF: Period = { unitMs: 1, leastMs: 1e-6, mostMs: 5 * MINUTE_MS, usualMs: 500 };
const ALLOW: Period = { unitMs: 1000, leastMs: 1000, mostMs: 30 * MINUTE_MS, usualMs: 5 * MINUTE_MS };
const DENY: Period = { ...ALLOW, usualMs: 30_000 };

/** @throws Error with kube-apiserver's message */
export async function imagePolicyOf(
  given: Json | undefined,
  { clock, random, dial, observeCall }: WebhookPluginNeeds,
): Promise<Partial<PluginConfiguration>> {
  if (given === undefined) throw new Error('no config specified');
  const config = at(given, 'imagePolicy');
  const firstPauseMs = periodOf(config, 'retryBackoff', BACKOFF);
  const allowTtlMs = periodOf(config, 'allowTTL', ALLOW);
  const denyTtlMs = periodOf(config, 'denyTTL', DENY);
  const target = await readKubeconfig(textAt(config, 'kubeConfigFile'), readText);
  const client = new KubeconfigClient({ target, dial, clock, observeCall });
  const review = { kind: 'ImageReview', apiVersion: 'imagepolicy.k8s.io/v1alpha1', timeoutMs: TIMEOUT_MS };
  const question = new WebhookQuestion({ client, ...review, firstPauseMs, clock, random });
  return { imagePolicy: { question, allowTtlMs, denyTtlMs, defaultAllow: at(config, 'defaultAllow') === true } };
}

/** -1 stands for none, 0 for the default. @throws Error for a value out of range */
function periodOf(config: Json | undefined, member: string, { unitMs, leastMs, mostMs, usualMs }: Period): number {
  const count = numberAt(config, member);
  if (count === -1) return 0;
  if (count === 0) return usualMs;
  const ms = count * unitMs;
  if (ms >= leastMs && ms <= mostMs) return ms;
  const least = leastMs < 1 ? '1ns' : formatGoDuration(leastMs);
  throw new Error(`valid value is between ${least} and ${formatGoDuration(mostMs)}, got ${formatGoDuration(ms)}`);
}

/** The users of the kubeconfig in a WebhookAdmissionConfiguration. @throws Error with kube-apiserver's message */
export async function webhookUsersOf(given: Json): Promise<WebhookUsers> {
  const path = textAt(given, 'kubeConfigFile');
  if (isAbsolute(path)) return await readWebhookUsers(path, readText);
  const fault = fieldError.invalid('kubeConfigFile', path, 'must be an absolute file path');
  throw new Error(`${fault.field}: ${fieldErrorBody(fault)}`);
}
