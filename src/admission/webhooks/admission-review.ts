// AdmissionReview objects: the question that a webhook is asked and what may be read out of its answer.

import { Buffer } from 'node:buffer';
import type { Json, JsonObject } from '../../api/object.ts';
import { typeFault } from '../../api/unregistered-kind.ts';
import { goQuote } from '../../base/go-quote.ts';
import { at, entriesAt, isObject, listAt, textAt } from '../../resources/value.ts';
import type { Attributes, RequestTarget } from '../policies/attributes.ts';
import { reviewTypeFault } from './review-shape.ts';

const GROUP = 'admission.k8s.io';
const KIND = 'AdmissionReview';

type ReviewVersion = 'v1' | 'v1beta1';

/** A review to be sent; both versions of it look alike. */
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

/** What a webhook answers. */
interface ReviewAnswer {
  readonly allowed: boolean;
  /** The Status that says why not. */
  readonly status: JsonObject | undefined;
  readonly warnings: readonly string[];
  /** The text of a JSON patch; '' for none. */
  readonly patch: string;
  /** `JSONPatch`, or what the webhook calls what it sent. */
  readonly patchType: string;
  /** For the audit event, by keys of the webhook's own. */
  readonly auditAnnotations: readonly (readonly [key: string, value: Json])[];
}

export const JSON_PATCH = 'JSONPatch';

/** An object that is not a review of the version; the message says what it is, in the words of Go's schemes. */
export class ForeignAnswer extends Error {
  override name = 'ForeignAnswer';
}

/** An answer that is none; the message says why. */
export class InvalidAnswer extends Error {
  override name = 'InvalidAnswer';
}

interface ExpectedAnswer {
  readonly version: ReviewVersion;
  readonly uid: string;
  /** Whether the webhook may change the object. */
  readonly mutating: boolean;
}

/** Reads a review that came back. @throws ForeignAnswer, InvalidAnswer */
export function reviewAnswer(review: JsonObject, { version, uid, mutating }: ExpectedAnswer): ReviewAnswer {
  checkType(review, version);
  const mistyped = reviewTypeFault(review, version);
  if (mistyped !== undefined) throw new ForeignAnswer(mistyped);
  const response = at(review, 'response');
  if (!isObject(response)) throw new InvalidAnswer('webhook response was absent');
  // The older version never demanded these.
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

/** The text of the patch: base64, or a list of its bytes. */
function patchIn(response: JsonObject): string {
  const patch = response['patch'];
  if (Array.isArray(patch)) return Buffer.from(patch.map(Number)).toString();
  return Buffer.from(textAt(response, 'patch'), 'base64').toString();
}

/** What names a type must be a review, and of the version that was sent. @throws ForeignAnswer */
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

/** Patch and type of patch come together, and from those alone that may change the object. */
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
