// One call of an admission webhook: whether it matches the request, the call, and the handling of its response or
// failure. Shared by both phases of admission.

import type { CallReason } from '../../api/call-trace.ts';
import { type ApiError, errors } from '../../api/errors.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import type { Authorizer } from '../../auth/authz/authorizer.ts';
import { goQuote } from '../../base/go-quote.ts';
import type { Log } from '../../base/log.ts';
import type { Random } from '../../base/random.ts';
import type { WebhookRun } from '../../lifecycle/admission-metrics.ts';
import { WebhookCallError, type WebhookCaller, type WebhookUsers } from '../../outbound/webhook-call.ts';
import { annotateAdmission } from '../audit-annotations.ts';
import type { AdmissionRequest } from '../chain.ts';
import type { ObjectLookup } from '../object-lookup.ts';
import { Attributes, type RequestTarget } from '../policies/attributes.ts';
import { evaluated } from '../policies/awaited-answers.ts';
import { meetsConditions } from '../policies/judge.ts';
import { matchesSelectors, matchRules } from '../policies/match-resources.ts';
import { requestScope } from '../policies/request-scope.ts';
import { OutOfBudget } from '../policies/scope.ts';
import type { AdmissionObserver } from '../timed.ts';
import { admissionReview, ForeignAnswer, InvalidAnswer, reviewAnswer } from './admission-review.ts';
import { denial } from './denial.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookIndex } from './webhook-index.ts';

export interface WebhookNeeds extends AdmissionObserver {
  readonly webhooks: WebhookIndex;
  readonly caller: WebhookCaller;
  /** Credentials for webhooks; undefined for none. */
  readonly users?: WebhookUsers | undefined;
  readonly objects: ObjectLookup;
  readonly authorizer: Authorizer;
  readonly random: Random;
  readonly log: Log;
}

/** Metrics of failed calls. */
const UNAVAILABLE = 503;

/** A failed call of a webhook, or an invalid response. */
export class WebhookFailure extends Error {
  override name = 'WebhookFailure';
  /** The error type in metrics. */
  readonly code: number;

  constructor(webhook: string, why: string, code: number = UNAVAILABLE) {
    super(`failed calling webhook ${goQuote(webhook)}: ${why}`);
    this.code = code;
  }
}

/** The webhooks whose rules match a request, in order; undefined if there are none. */
export function concernedWebhooks(index: WebhookIndex, admission: AdmissionRequest): readonly Webhook[] | undefined {
  const webhooks = index.webhooksFor(admission.request.definition);
  if (webhooks.length === 0) return undefined;
  const attributes = new Attributes(admission);
  const concerned = webhooks.filter(({ rules, isExact }) => matchRules(rules, attributes, isExact) !== undefined);
  return concerned.length === 0 ? undefined : concerned;
}

/**
 * The request as a webhook sees it; undefined if it does not match.
 * @throws ApiError 403 if its match conditions fail and it fails closed, 404 if the namespace does not exist
 */
export async function askedOf(
  webhook: Webhook,
  { attributes, type }: { attributes: Attributes; type: WebhookRun['type'] },
  { objects, authorizer, metrics }: WebhookNeeds,
): Promise<RequestTarget | undefined> {
  const target = matchRules(webhook.rules, attributes, webhook.isExact);
  if (target === undefined || !(await matchesSelectors(webhook.declared, attributes, objects))) return undefined;
  await attributes.prepare(target.version);
  const { conditions } = webhook;
  if (conditions.length === 0) return target;
  const scope = { ...requestScope(attributes, target, authorizer), params: null, namespaceObject: null };
  const startMs = performance.now();
  const met = await evaluated(() => decided(() => meetsConditions(conditions, scope)));
  const failed = typeof met === 'string';
  metrics.conditionsEvaluated({
    ...{ kind: 'webhook', name: webhook.name, type, operation: attributes.target.operation, failed },
    excluded: met === false || (failed && !webhook.failsClosed),
    seconds: (performance.now() - startMs) / 1000,
  });
  if (typeof met === 'boolean') return met ? target : undefined;
  if (!webhook.failsClosed) return undefined;
  const { group, resource, name } = attributes.target;
  throw errors.forbidden({ group, resource, name }, met);
}

function decided(decide: () => boolean | string): boolean | string {
  try {
    return decide();
  } catch (error) {
    if (error instanceof OutOfBudget) return error.message;
    throw error;
  }
}

export interface Question {
  readonly webhook: Webhook;
  readonly attributes: Attributes;
  readonly target: RequestTarget;
  /** Whether the webhook is a mutating one. */
  readonly mutating: boolean;
}

/** A patch from a webhook. */
interface AskedPatch {
  readonly text: string;
  readonly type: string;
}

/**
 * Calls a webhook; resolves with its patch, whose text is '' for none.
 * @throws WebhookFailure; ApiError if the webhook rejects the request, or does not support dry run
 */
export async function ask(question: Question, needs: WebhookNeeds): Promise<AskedPatch> {
  const { clock, metrics } = needs;
  const { webhook, attributes, mutating } = question;
  const { name, failsClosed } = webhook;
  const type = mutating ? 'admit' : 'validating';
  const start = clock.now();
  const note = (outcome: Pick<WebhookRun, 'rejected' | 'code' | 'error'>) =>
    metrics.webhookCalled({
      ...{ name, type, operation: attributes.target.operation, ...outcome },
      seconds: (clock.now() - start) / 1000,
    });
  try {
    const patch = await askUnobserved(question, needs);
    note({ rejected: false, code: 200 });
    return patch;
  } catch (error) {
    if (error instanceof Denied) {
      note({ rejected: true, code: error.answer.code, error: 'no_error' });
      throw error.answer;
    }
    if (error instanceof WebhookFailure) {
      const why = failsClosed ? 'calling_webhook_error' : undefined;
      note({ rejected: failsClosed, code: error.code, error: why });
      if (!failsClosed) metrics.webhookFailedOpen(name, type);
    } else note({ rejected: true, code: 0, error: 'apiserver_internal_error' });
    throw error;
  }
}

/** A rejection by a webhook, as opposed to errors of the server. */
class Denied extends Error {
  override name = 'Denied';
  readonly answer: ApiError;

  constructor(answer: ApiError) {
    super(answer.message);
    this.answer = answer;
  }
}

async function askUnobserved(question: Question, { caller, users, random }: WebhookNeeds): Promise<AskedPatch> {
  const { webhook, attributes, target, mutating } = question;
  const { admission } = attributes;
  if (admission.dryRun && !webhook.allowsDryRun) {
    throw errors.badRequest(`admission webhook ${goQuote(webhook.name)} does not support dry run`);
  }
  const { reviewVersion: version, address, timeoutMs } = webhook;
  if (version === undefined) {
    const why = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';
    throw new WebhookFailure(webhook.name, `could not create admission objects: ${why}`);
  }
  const uid = random.uuid();
  const body = stringifyJson(admissionReview(attributes, { target, version, uid }));
  try {
    const credentials = users?.(hostAndPort(address.url));
    const reason = reasonOf(question, uid);
    const review = await caller.call({ address, credentials, body, timeoutMs, reason, life: admission.request.life });
    const answer = reviewAnswer(review, { version, uid, mutating });
    const { audit, warnings } = admission.request;
    for (const [key, value] of answer.auditAnnotations) {
      annotateAdmission(audit, `${webhook.name}/${key}`, String(value));
    }
    warnings.push(...answer.warnings);
    if (answer.allowed) return { text: answer.patch, type: answer.patchType };
    throw new Denied(denial(webhook.name, answer.status));
  } catch (error) {
    if (error instanceof WebhookCallError || error instanceof ForeignAnswer) {
      const status = error instanceof WebhookCallError ? error.status : undefined;
      throw new WebhookFailure(webhook.name, `failed to call webhook: ${error.message}`, status);
    }
    if (!(error instanceof InvalidAnswer)) throw error;
    throw new WebhookFailure(webhook.name, `received invalid webhook response: ${error.message}`);
  }
}

/** Trace attributes of the call. */
function reasonOf({ webhook, attributes, target, mutating }: Question, UID: string): CallReason {
  const { group, resource, subresource, operation } = attributes.target;
  return {
    name: `Call ${mutating ? 'mutating' : 'validating'} webhook`,
    attributes: {
      configuration: webhook.configuration,
      webhook: webhook.name,
      resource: `${group}/${target.version}, Resource=${resource}`,
      ...{ subresource, operation, UID },
    },
  };
}

/** The name of its kubeconfig user: always includes the port. */
function hostAndPort(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || '443'}`;
}

/** Ignores a failure according to the webhook's failure policy. @throws ApiError 500 for Fail, and other errors */
export function allowFailure(error: unknown, { failsClosed }: Webhook, log: Log): void {
  if (!(error instanceof WebhookFailure)) throw error;
  if (failsClosed) throw errors.internal(error.message);
  log.warn('failing open', { error: error.message });
}
