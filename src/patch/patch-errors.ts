// The answers to patches that can't be read or applied. A client is told little about a JSON patch that fails, as
// Kubernetes does it; what went wrong travels as the error's cause, for the log.

import { type ApiError, errors } from '../api/errors.ts';
import { goText, jsonWord } from '../api/go-text.ts';
import type { JsonObject } from '../api/object.ts';

/** What the body of the request must be for its content type. */
export const notAPatch = (value: unknown, goType: string): ApiError =>
  errors.badRequest(`error decoding patch: json: cannot unmarshal ${jsonWord(value)} into Go ${goType}`);

/** The same of what is read without looking for unknown fields: nothing stands before the fault. */
export const notOfType = (value: unknown, goType: string): ApiError =>
  errors.badRequest(`json: cannot unmarshal ${jsonWord(value)} into Go value of type ${goType}`);

/** The same of a strategic merge patch. */
export const notAMap = (value: unknown): ApiError => notOfType(value, 'map[string]interface {}');

/** A merge patch that is null. */
export const nullPatch = (): ApiError => errors.badRequest('Invalid JSON Patch');

/** More operations than one JSON patch may have. */
export const tooManyOperations = (allowed: number, got: number): ApiError =>
  errors.bodyTooLarge(
    `Request entity too large: The allowed maximum operations in a JSON patch is ${allowed}, got ${got}`,
  );

/** A patch that does not apply to the object: always the same words, the cause is for the log. */
export const notApplicable = (cause: string): ApiError =>
  errors.unprocessable('the server rejected our request due to an error in our request', {}, new Error(cause));

/**
 * Says why a JSON patch does not apply: at a `test` that does not hold, which is not a mistake of whoever made the
 * patch.
 */
export class FailedTest extends Error {
  override name = 'FailedTest';
}

/** The answer to a patch whose test does not hold. */
export const testFailed = (path: string): ApiError =>
  errors.unprocessable(
    'the server rejected our request due to an error in our request',
    {},
    new FailedTest(`testing value ${path} failed: test failed`),
  );

/** A directive of a strategic merge patch whose form is wrong. */
export const badDirective = (directive: 'primitive list' | 'retainKeys' | 'setElementOrder list'): ApiError =>
  errors.badRequest(`invalid patch format of ${directive}`);

/** A strategic merge patch that contradicts itself or the schema; Kubernetes answers 500 and gives no reason. */
export const notMergeable = (why: string): ApiError => errors.unexplained(why);

/** An item of a merged list without the member that it is merged by. */
export const noMergeKey = (item: JsonObject, mergeKey: string): ApiError =>
  notMergeable(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);

/** A `$patch` that is neither delete nor replace. */
export const unknownPatchType = (patch: JsonObject): ApiError => {
  const directive = patch['$patch'];
  const type = typeof directive === 'string' ? directive : goText(directive ?? null);
  return notMergeable(`unknown patch type: ${type} in map: ${goText(patch)}`);
};
