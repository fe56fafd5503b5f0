// The plugin MutatingAdmissionWebhook: webhooks change the object one after another.

import type { AuditTrail } from '../../api/audit-trail.ts';
import { ApiError, errors } from '../../api/errors.ts';
import { isObject } from '../../api/is-object.ts';
import { equalJson } from '../../api/json-equal.ts';
import { JsonError, parseJson } from '../../api/json-reader.ts';
import { escapeHtml, stringifyJson } from '../../api/json-writer.ts';
import { notAnObject } from '../../api/not-an-object.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { goQuote } from '../../base/go-quote.ts';
import { limits } from '../../base/limits.ts';
import { inTurns } from '../../base/steps.ts';
import { turnsOf } from '../../outbound/next-round.ts';
import { parseJsonAnswer } from '../../outbound/typed-answer.ts';
import { applyingJsonPatch, type JsonPatch, parseJsonPatch } from '../../patch/json-patch.ts';
import { annotateAdmission } from '../audit-annotations.ts';
import type { AdmissionRequest } from '../chain.ts';
import { Attributes, type RequestTarget } from '../policies/attributes.ts';
import { JSON_PATCH } from './admission-review.ts';
import { allowFailure, ask, askedOf, WebhookFailure, type WebhookNeeds } from './inquiry.ts';
import type { Webhook } from './webhook.ts';

/** Of a patch; the longest take some 40 us each, in long lists. */
const OPERATIONS_AT_ONCE = 100;

/** One request on its way through the webhooks. */
export class WebhookMutations {
  readonly #admission: AdmissionRequest;
  readonly #needs: WebhookNeeds;
  #attributes: Attributes;
  /** Webhooks to be reinvoked if the object changes from here on. */
  #watching = new Set<Webhook>();
  /** Webhooks that have seen the object before a change. */
  readonly #due = new Set<Webhook>();
  hasChanged = false;

  constructor(admission: AdmissionRequest, needs: WebhookNeeds) {
    this.#admission = admission;
    this.#needs = needs;
    this.#attributes = new Attributes(admission);
  }

  /** Records that the object differs from what the webhooks so far have seen. */
  changed(): void {
    this.hasChanged = true;
    this.#attributes = new Attributes(this.#admission);
    for (const webhook of this.#watching) this.#due.add(webhook);
    this.#watching = new Set();
  }

  /** Calls webhooks; in the second round only those that are due. */
  async round(round: 0 | 1, webhooks: readonly Webhook[]): Promise<void> {
    for (const webhook of webhooks) {
      if (round === 1 && !this.#due.has(webhook)) continue;
      const target = await askedOf(webhook, { attributes: this.#attributes, type: 'admit' }, this.#needs);
      if (target === undefined) continue;
      const notes = this.#notes(webhook, round);
      let hasChanged = false;
      try {
        hasChanged = await this.#ask(webhook, target, notes);
      } catch (error) {
        allowFailure(error, webhook, this.#needs.log);
        notes?.failedOpen();
      } finally {
        notes?.ended();
      }
      if (hasChanged) this.changed();
      if (webhook.isReinvocable) this.#watching.add(webhook);
    }
  }

  #notes(webhook: Webhook, round: number): CallNotes | undefined {
    const { audit } = this.#admission.request;
    if (audit === undefined) return undefined;
    return new CallNotes({
      audit,
      webhook,
      place: `round_${round}_index_${this.#needs.webhooks.webhooks.indexOf(webhook)}`,
    });
  }

  /** Whether the webhook has changed the object. */
  async #ask(webhook: Webhook, target: RequestTarget, notes: CallNotes | undefined): Promise<boolean> {
    const attributes = this.#attributes;
    const { text, type } = await ask({ webhook, attributes, target, mutating: true }, this.#needs);
    const patch = text === '' ? [] : await readPatch(webhook, text);
    if (patch.length === 0) return false;
    const { replace } = this.#admission;
    const { object } = attributes.objectsIn(target);
    if (replace === undefined || object === null) throw unchangeable(webhook);
    if (type !== JSON_PATCH) throw new WebhookFailure(webhook.name, `unsupported patch type ${goQuote(type)}`);
    const patched = await applied(patch, object);
    const hasChanged = !equalJson(object, patched);
    const read = () => notes?.patched(text, hasChanged);
    if (!hasChanged) {
      read();
      return false;
    }
    const changed = attributes.inOwnGroup(patched, target);
    await replace(changed.object, changed.version, { read });
    return true;
  }
}

/** An operation as Go formats a map: members sorted by name, with their raw values. */
function withSortedNames(operation: JsonObject): JsonObject {
  const names = Object.keys(operation).sort();
  return Object.fromEntries(names.map((name) => [name, operation[name]!]));
}

/** Audit annotations of one webhook call. */
class CallNotes {
  readonly #audit: AuditTrail;
  readonly #webhook: Webhook;
  readonly #place: string;
  #hasMutated = false;

  constructor({ audit, webhook, place }: { audit: AuditTrail; webhook: Webhook; place: string }) {
    this.#audit = audit;
    this.#webhook = webhook;
    this.#place = place;
  }

  ended(): void {
    const { configuration, name: webhook } = this.#webhook;
    this.#note('', stringifyJson({ configuration, webhook, mutated: this.#hasMutated }), 'mutation');
  }

  failedOpen(): void {
    this.#note('failed-open.', this.#webhook.name, 'mutation');
  }

  /**
   * The patched object could be read, whether it is accepted or not.
   * @param text of the JSON patch
   */
  patched(text: string, hasMutated: boolean): void {
    this.#hasMutated = hasMutated;
    if (!this.#audit.recordsRequests) return;
    const { configuration, name: webhook } = this.#webhook;
    const patch = (parseJson(text) as JsonObject[]).map(withSortedNames);
    const value = escapeHtml(stringifyJson({ configuration, webhook, patch, patchType: 'JSONPatch' }));
    this.#note('', value, 'patch');
  }

  #note(prefix: string, value: string, what: 'mutation' | 'patch'): void {
    annotateAdmission(this.#audit, `${prefix}${what}.webhook.admission.k8s.io/${this.#place}`, value);
  }
}

/** @throws WebhookFailure */
async function readPatch({ name }: Webhook, text: string): Promise<JsonPatch> {
  if (text.length > limits.requestBodyBytes) {
    throw new WebhookFailure(name, `the patch in the webhook response has more than ${limits.requestBodyBytes} bytes`);
  }
  try {
    return parseJsonPatch(await parseJsonAnswer(text), { text, isChecked: false });
  } catch (error) {
    if (!(error instanceof JsonError) && !(error instanceof ApiError)) throw error;
    // A valid patch that does not apply is not a failure of the call.
    if (error instanceof ApiError && error.code === 422) throw misfit(error);
    throw new WebhookFailure(name, `received undecodable patch in webhook response: ${error.message}`);
  }
}

/** @throws ApiError 500 for a patch that does not apply, regardless of the failure policy */
async function applied(patch: JsonPatch, object: Json): Promise<JsonObject> {
  let patched: Json;
  try {
    patched = await inTurns(applyingJsonPatch(object, patch), turnsOf(OPERATIONS_AT_ONCE));
  } catch (error) {
    throw error instanceof ApiError ? misfit(error) : error;
  }
  if (isObject(patched)) return patched;
  throw errors.internal(notAnObject(patched));
}

/** The error for a patch that does not apply. */
function misfit(error: ApiError): ApiError {
  return errors.internal((error.cause as Error | undefined)?.message ?? error.message);
}

function unchangeable({ name }: Webhook): ApiError {
  return errors.internal(
    `admission webhook ${goQuote(name)} attempted to modify the object, which is not supported for this operation`,
  );
}
