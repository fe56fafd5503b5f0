// Conversion of custom resources by a webhook: the ConversionReview, and validation of its response. The server owns
// metadata, of which a webhook may only change labels and annotations. Independent of how the webhook is called.

import { errors, type FieldErrors, fieldErrorBody } from '../../api/errors.ts';
import { goTypeOf, jsonWord } from '../../api/go-text.ts';
import { isObject } from '../../api/is-object.ts';
import { equalJson } from '../../api/json-equal.ts';
import { copyJson, stringifyJson } from '../../api/json-writer.ts';
import { validateAnnotations, validateLabels } from '../../api/metadata-validation.ts';
import { unreadableTypeMeta } from '../../api/not-an-object.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { typeFault } from '../../api/unregistered-kind.ts';
import { goQuote } from '../../base/go-quote.ts';
import { at, listAt, textAt } from '../value.ts';

const GROUP = 'apiextensions.k8s.io';

/** Calls a webhook. @param config its `clientConfig`. @throws Error whose message says why there is no response */
export type AskWebhook = (config: JsonObject, body: string) => Promise<Json>;

interface WebhookConverterInit {
  /** `spec.conversion.webhook` of a valid definition. */
  readonly webhook: JsonObject;
  readonly ask: AskWebhook;
  /** A new UID for a review. */
  readonly newUid: () => string;
}

/** An unusable response; the message says why. */
class UselessAnswer extends Error {
  override name = 'UselessAnswer';
}

type Part = 'type' | 'identity' | 'metadata';

/** An unusable converted object. */
class InvalidPart extends Error {
  override name = 'InvalidPart';
  readonly part: Part;

  constructor(part: Part, message: string) {
    super(message);
    this.part = part;
  }
}

/** Kubernetes' names for the fields of a single converted object, and of one of several, at index N. */
const ALONE = { type: 'object at index N', identity: 'object', metadata: 'metadata' };
const AMONG_OTHERS = {
  type: 'object at index N',
  identity: 'converted object at index N',
  metadata: 'metadata in object at index N',
};

export class WebhookConverter {
  readonly #init: WebhookConverterInit;

  constructor(init: WebhookConverterInit) {
    this.#init = init;
  }

  /**
   * Converts objects of other versions to a version, in the same order.
   * @throws ApiError 500
   */
  async convert(objects: readonly JsonObject[], apiVersion: string): Promise<ApiObject[]> {
    const what = typeText(objects[0]);
    const converted = await this.#ask(objects, { apiVersion, what });
    if (converted.length !== objects.length) {
      const counts = `returned ${converted.length} objects, expected ${objects.length}`;
      throw errors.unexplained(`conversion webhook for ${what} ${counts}`);
    }
    for (const each of converted) checkReadable(each);
    return converted.map((each, index) => {
      try {
        return accepted(objects[index] as JsonObject, each as JsonObject, apiVersion);
      } catch (error) {
        if (!(error instanceof InvalidPart)) throw error;
        const part = (objects.length === 1 ? ALONE : AMONG_OTHERS)[error.part].replace('N', String(index));
        throw errors.unexplained(`conversion webhook for ${what} returned invalid ${part}: ${error.message}`);
      }
    });
  }

  async #ask(objects: readonly JsonObject[], { apiVersion, what }: { apiVersion: string; what: string }) {
    const { webhook, ask, newUid } = this.#init;
    const versions = listAt(webhook, 'conversionReviewVersions');
    const version = versions.find((each) => each === 'v1' || each === 'v1beta1') as string;
    const uid = newUid();
    const review = {
      kind: 'ConversionReview',
      apiVersion: `${GROUP}/${version}`,
      request: { uid, desiredAPIVersion: apiVersion, objects },
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    };
    try {
      const answer = await ask(at(webhook, 'clientConfig') as JsonObject, stringifyJson(review));
      return convertedObjects(answer, { version, uid });
    } catch (error) {
      throw errors.unexplained(`conversion webhook for ${what} failed: ${(error as Error).message}`);
    }
  }
}

/** @throws UselessAnswer */
function convertedObjects(review: Json, { version, uid }: { version: string; uid: string }): Json[] {
  const response = at(review, 'response');
  checkType(review, version);
  // v1beta1 requires neither a type nor the UID of the request.
  if (version === 'v1') checkNames(review);
  if (!isObject(response)) throw new UselessAnswer('no response provided');
  const answered = textAt(response, 'uid');
  if (version === 'v1' && answered !== uid) {
    throw new UselessAnswer(`expected response.uid=${goQuote(uid)}, got ${goQuote(answered)}`);
  }
  const [status, message] = [textAt(response, 'result', 'status'), textAt(response, 'result', 'message')];
  if (status === 'Success') return listAt(response, 'convertedObjects');
  throw new UselessAnswer(message === '' ? `response.result.status was '${status}', not 'Success'` : message);
}

/** A response with a type must be a review of the sent version. */
function checkType(review: Json, version: string): void {
  const [apiVersion, kind] = [textAt(review, 'apiVersion'), textAt(review, 'kind')];
  if (apiVersion === '' || kind === '') return;
  const fault = typeFault({ apiVersion, kind }, { apiVersion: `${GROUP}/${version}`, kind: 'ConversionReview' });
  if (fault !== undefined) throw new UselessAnswer(fault);
}

function checkNames(review: Json): void {
  const expected = `${GROUP}/v1, Kind=ConversionReview`;
  const found = typeText(review);
  if (found !== expected) throw new UselessAnswer(`expected webhook response of ${expected}, got ${found}`);
}

/** A type as in messages: `stable.example.com/v1, Kind=CronTab`. */
function typeText(object: Json | undefined): string {
  const apiVersion = textAt(object, 'apiVersion');
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${textAt(object, 'kind')}`;
}

/** @throws ApiError 500 for what is not an object of any kind */
function checkReadable(converted: Json): asserts converted is JsonObject {
  if (converted === null) throw errors.unexplained('unexpected end of JSON input');
  if (!isObject(converted)) {
    const type = 'map[string]interface {}';
    throw errors.unexplained(`json: cannot unmarshal ${jsonWord(converted)} into Go value of type ${type}`);
  }
  const unreadable = unreadableTypeMeta(converted);
  if (unreadable !== undefined) throw errors.unexplained(unreadable);
  if (textAt(converted, 'kind') !== '') return;
  throw errors.unexplained(`Object 'Kind' is missing in '${stringifyJson(converted)}'`);
}

/** The converted object, with the object's own metadata. @throws InvalidPart */
function accepted(original: JsonObject, converted: JsonObject, apiVersion: string): ApiObject {
  const [version, kind] = [textAt(converted, 'apiVersion'), textAt(converted, 'kind')];
  if (version !== apiVersion) {
    throw new InvalidPart('type', `invalid groupVersion (expected ${apiVersion}, received ${version})`);
  }
  if (kind !== textAt(original, 'kind')) {
    throw new InvalidPart('type', `invalid kind (expected ${textAt(original, 'kind')}, received ${kind})`);
  }
  for (const [member, name] of IDENTITY) {
    const [own, other] = [textAt(original, 'metadata', member), textAt(converted, 'metadata', member)];
    if (own !== other) throw new InvalidPart('identity', `must have the same ${name}: ${own} != ${other}`);
  }
  return { ...converted, metadata: metadataOf(original, converted) } as ApiObject;
}

const IDENTITY = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

function metadataOf(original: JsonObject, { metadata: given }: JsonObject): JsonObject {
  if (given === undefined) throw new InvalidPart('metadata', 'missing metadata in converted object');
  if (!isObject(given)) {
    throw new InvalidPart('metadata', `invalid metadata of type ${goTypeOf(given)} in converted object`);
  }
  const { metadata } = original;
  const own = isObject(metadata) ? metadata : {};
  const kept = copyJson(own);
  for (const [member, faultsOf] of FREE) {
    const value = ownMember(given, member);
    delete kept[member];
    if (value === undefined || value === null) continue;
    checkTexts(value, member);
    const found = equalJson(value, ownMember(own, member)) ? [] : faultsOf(value as Record<string, string>);
    if (found.length > 0) {
      const texts = found.map((each) => `${each.field}: ${fieldErrorBody(each)}`);
      throw new InvalidPart('metadata', texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`);
    }
    kept[member] = value;
  }
  return kept;
}

const FREE: readonly (readonly [string, (texts: Record<string, string>) => FieldErrors])[] = [
  ['labels', (labels) => validateLabels(labels, 'metadata.labels')],
  ['annotations', (annotations) => validateAnnotations(annotations, 'metadata.annotation')],
];

function checkTexts(value: Json, member: string): void {
  if (!isObject(value)) {
    throw new InvalidPart('metadata', `invalid metadata.${member} of type ${goTypeOf(value)} in converted object`);
  }
  for (const [key, each] of Object.entries(value) as [string, Json][]) {
    if (typeof each !== 'string') {
      const type = goTypeOf(each);
      throw new InvalidPart(
        'metadata',
        `metadata.${member}[${key}] must be a string, but is ${type} in converted object`,
      );
    }
  }
}
