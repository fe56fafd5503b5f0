// The error for a request that a webhook rejects: the webhook's own Status, adapted to an error.

import { ApiError } from '../../api/errors.ts';
import { isObject } from '../../api/is-object.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import type { StatusDetails } from '../../api/status.ts';
import { goQuote } from '../../base/go-quote.ts';
import { listAt, numberAt, textAt } from '../../resources/value.ts';

const MIN_CODE = 400;
/** The largest code that HTTP can carry; nonstandard codes are passed on. */
const MAX_CODE = 999;

export function denial(webhook: string, status: JsonObject = {}): ApiError {
  const [message, reason, code] = [textAt(status, 'message'), textAt(status, 'reason'), numberAt(status, 'code')];
  const why = message !== '' ? `: ${message}` : reason !== '' ? `: ${reason}` : ' without explanation';
  const { details, metadata } = status;
  return new ApiError({
    // A success code cannot be a rejection.
    code: code >= MIN_CODE && code <= MAX_CODE ? code : MIN_CODE,
    ...(reason === '' ? {} : { reason }),
    message: `admission webhook ${goQuote(webhook)} denied the request${why}`,
    ...(isObject(metadata) ? { metadata: withMembers(metadata, LIST_META) } : {}),
    ...(isObject(details) ? { details: knownDetails(details) } : {}),
  });
}

/** The fields of a Status' details and of their causes. */
function knownDetails(details: JsonObject): StatusDetails {
  const causes = listAt(details, 'causes').map((each) => withMembers(isObject(each) ? each : {}, CAUSE));
  return withMembers({ ...details, causes: causes.length === 0 ? null : causes }, DETAILS);
}

const LIST_META = ['selfLink', 'resourceVersion', 'continue', 'remainingItemCount'];
const DETAILS = ['name', 'group', 'kind', 'uid', 'causes', 'retryAfterSeconds'];
const CAUSE = ['reason', 'message', 'field'];

function withMembers(of: JsonObject, names: readonly string[]): JsonObject {
  const kept = names.filter((name) => of[name] !== undefined && of[name] !== null && of[name] !== '' && of[name] !== 0);
  return Object.fromEntries(kept.map((name) => [name, of[name] as Json]));
}
