// AdmissionReview objects: requests to webhooks and parsing of their responses.

import { Buffer } from 'node:buffer';
import { isObject } from '../../api/is-object.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { typeFault } from '../../api/unregistered-kind.ts';
import { goQuote } from '../../base/go-quote.ts';
import { at, entriesAt, listAt, textAt } from '../../resources/value.ts';
import type { Attributes, RequestTarget } from '../policies/attributes.ts';
import { reviewTypeFault } from './review-shape.ts';

const GROUP = 'admission.k8s.io';
const KIND = 'AdmissionReview';

type ReviewVersion = 'v1' | 'v1beta1';

/** A review to be sent; both versions have the same form. */
export function admissionReview(
  attributes: Attributes,
  { target, version, uid }: { target: RequestTarget; version: ReviewVersion; uid: string },
): JsonObject {
  const { object, previous } = attributes.objectsIn(target);
  return {
    kind: KIND,
    apiVersion: `${GROUP}/${version}`,
    request: { uid, ...attributes.requestAs(target), object, oldObject: previous },
  };
}

/** The response of a webhook. */
interface ReviewAnswer {
  readonly allowed: boolean;
  /** The Status of a rejection. */
  readonly status: JsonObject | undefined;
  readonly warnings: readonly string[];
  /** The text of a JSON patch; '' for none. */
  readonly patch: string;
  /** `JSONPatch`, or another value sent by the webhook. */
  readonly patchType: string;
  /** Audit annotations, with the webhook's own keys. */
  readonly auditAnnotations: readonly (readonly [key: string, value: Json])[];
}

export const JSON_PATCH = 'JSONPatch';

/** A response that is not an AdmissionReview of the version; the message is worded as by Go's schemes. */
export class ForeignAnswer extends Error {
  override name = 'ForeignAnswer';
}

/** An invalid response; the message says why. */
export class InvalidAnswer extends Error {
  override name = 'InvalidAnswer';
}

interface ExpectedAnswer {
  readonly version: ReviewVersion;
  readonly uid: string;
  /** Whether the webhook is a mutating one. */
  readonly mutating: boolean;
}

/** Parses a response. @throws ForeignAnswer, InvalidAnswer */
export function reviewAnswer(review: JsonObject, { version, uid, mutating }: ExpectedAnswer): ReviewAnswer {
  checkType(review, version);
  const mistyped = reviewTypeFault(review, version);
  if (mistyped !== undefined) throw new ForeignAnswer(mistyped);
  const response = at(review, 'response');
  if (!isObject(response)) throw new InvalidAnswer('webhook response was absent');
  // Not required in v1beta1.
  if (version === 'v1') {
    checkIdentity(review, response, uid);
    checkPatch(response, mutating);
  }
  const { status } = response;
  return {
    allowed: response['allowed'] === true,
    status: isObject(status) ? status : undefined,
    warnings: listAt(response, 'warnings').filter((each) => typeof each === 'string'),
    auditAnnotations: entriesAt(response, 'auditAnnotations'),
    patch: mutating ? patchIn(response) : '',
    patchType: version === 'v1' ? textAt(response, 'patchType') : JSON_PATCH,
  };
}

/** The text of the patch: from base64, or from a list of its bytes. */
function patchIn(response: JsonObject): string {
  const patch = response['patch'];
  if (Array.isArray(patch)) return Buffer.from(patch.map(Number)).toString();
  return Buffer.from(textAt(response, 'patch'), 'base64').toString();
}

/** A response with a type must be a review of the sent version. @throws ForeignAnswer */
function checkType(review: Json, version: ReviewVersion): void {
  const [apiVersion, kind] = [textAt(review, 'apiVersion'), textAt(review, 'kind')];
  if (apiVersion === '' || kind === '') return;
  const fault = typeFault({ apiVersion, kind }, { apiVersion: `${GROUP}/${version}`, kind: KIND });
  if (fault !== undefined) throw new ForeignAnswer(fault);
}

function checkIdentity(review: Json, response: JsonObject, uid: string): void {
  const answered = textAt(response, 'uid');
  if (answered !== uid) {
    throw new InvalidAnswer(`expected response.uid=${goQuote(uid)}, got ${goQuote(answered)}`);
  }
  const [apiVersion, kind] = [textAt(review, 'apiVersion'), textAt(review, 'kind')];
  if (apiVersion === `${GROUP}/v1` && kind === KIND) return;
  const named = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  throw new InvalidAnswer(`expected webhook response of ${GROUP}/v1, Kind=${KIND}, got ${named}, Kind=${kind}`);
}

/** Patch and patch type must be present together, and only from mutating webhooks. */
function checkPatch(response: JsonObject, mutating: boolean): void {
  const hasPatch = patchIn(response) !== '';
  const type = response['patchType'] ?? null;
  if (!mutating) {
    if (hasPatch) throw new InvalidAnswer('validating webhook may not return response.patch');
    if (type !== null) throw new InvalidAnswer('validating webhook may not return response.patchType');
    return;
  }
  if (hasPatch && type === null) throw new InvalidAnswer('webhook returned response.patch but not response.patchType');
  if (!hasPatch && type !== null) {
    throw new InvalidAnswer('webhook returned response.patchType but not response.patch');
  }
  if (type === '') throw new InvalidAnswer('webhook returned invalid response.patchType of ""');
}
