// The answers to patches that can't be read or applied. A client is told little about a JSON patch that fails, as
// Kubernetes does it; what went wrong travels as the error's cause, for the log.

import { type ApiError, errors } from '../api/errors.ts';

/** What the body of the request must be for its content type. */
export const notAPatch = (what: string): ApiError => errors.badRequest(`error decoding patch: ${what}`);

/** More operations than one JSON patch may have. */
export const tooManyOperations = (allowed: number, got: number): ApiError =>
  errors.bodyTooLarge(
    `Request entity too large: The allowed maximum operations in a JSON patch is ${allowed}, got ${got}`,
  );

/** A patch that does not apply to the object: always the same words, the cause is for the log. */
export const notApplicable = (cause: string): ApiError =>
  errors.unprocessable('the server rejected our request due to an error in our request', {}, new Error(cause));

/** A directive of a strategic merge patch whose form is wrong. */
export const badDirective = (directive: 'primitive list' | 'retainKeys' | 'setElementOrder list'): ApiError =>
  errors.badRequest(`invalid patch format of ${directive}`);

/** A strategic merge patch that contradicts itself or the schema; Kubernetes answers 500 and gives no reason. */
export const notMergeable = (why: string): ApiError => errors.unexplained(why);

/** An item of a merged list without the member that it is merged by. */
export const noMergeKey = (item: object, mergeKey: string): ApiError =>
  notMergeable(`map: {${Object.keys(item).slice(0, 16).join(', ')}} does not contain declared merge key: ${mergeKey}`);

/** A `$patch` that is neither delete nor replace. */
export const unknownPatchType = (directive: unknown): ApiError =>
  notMergeable(`unknown patch type: ${typeof directive === 'string' ? directive : typeof directive}`);
