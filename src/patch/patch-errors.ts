// Errors for patches that cannot be decoded or applied. As in Kubernetes, the message about a failed JSON patch is
// generic; the details are the error's cause, for the log.

import { type ApiError, errors } from '../api/errors.ts';
import { goText, goTypeOf, jsonWord } from '../api/go-text.ts';
import type { Json, JsonObject } from '../api/object.ts';

/** The expected form of the body for its content type. */
export const notAPatch = (value: unknown, goType: string): ApiError =>
  errors.badRequest(`error decoding patch: json: cannot unmarshal ${jsonWord(value)} into Go ${goType}`);

/** The same if unknown fields are not checked: the error has no prefix. */
export const notOfType = (value: unknown, goType: string): ApiError =>
  errors.badRequest(`json: cannot unmarshal ${jsonWord(value)} into Go value of type ${goType}`);

/** The same for a strategic merge patch. */
export const notAMap = (value: unknown): ApiError => notOfType(value, 'map[string]interface {}');

/** A merge patch that is null, or anything but an object or a list where nothing but its application finds that. */
export const notAMergePatch = (): ApiError => errors.badRequest('Invalid JSON Patch');

/** Too many operations in a JSON patch. */
export const tooManyOperations = (allowed: number, got: number): ApiError =>
  errors.bodyTooLarge(
    `Request entity too large: The allowed maximum operations in a JSON patch is ${allowed}, got ${got}`,
  );

/** A patch that does not apply to the object: always the same message; the cause is for the log. */
export const notApplicable = (cause: string): ApiError =>
  errors.unprocessable('the server rejected our request due to an error in our request', {}, new Error(cause));

/** Why a JSON patch does not apply: a failed `test`, which is not a mistake in the patch. */
export class FailedTest extends Error {
  override name = 'FailedTest';
}

/** The error for a patch whose test failed. */
export const testFailed = (path: string): ApiError =>
  errors.unprocessable(
    'the server rejected our request due to an error in our request',
    {},
    new FailedTest(`testing value ${path} failed: test failed`),
  );

/** An invalid directive of a strategic merge patch. */
export const badDirective = (directive: 'primitive list' | 'retainKeys' | 'setElementOrder list'): ApiError =>
  errors.badRequest(`invalid patch format of ${directive}`);

/** A strategic merge patch that contradicts itself or the schema; Kubernetes responds with 500 without a reason. */
export const notMergeable = (why: string): ApiError => errors.unexplained(why);

/** A value of another type than a directive needs. @param wanted Go's name for that type */
export const badArgumentType = (wanted: '[]interface {}' | 'map[string]interface {}', value: Json): ApiError =>
  notMergeable(`expected a ${wanted}, but received a ${value === null ? '%!s(<nil>)' : goTypeOf(value)}`);

/** An item of a merged list without the merge key. */
export const noMergeKey = (item: JsonObject, mergeKey: string): ApiError =>
  notMergeable(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);

/** A `$patch` that is neither delete nor replace. */
export const unknownPatchType = (patch: JsonObject): ApiError => {
  const directive = patch['$patch'];
  const type = typeof directive === 'string' ? directive : goText(directive ?? null);
  return notMergeable(`unknown patch type: ${type} in map: ${goText(patch)}`);
};
