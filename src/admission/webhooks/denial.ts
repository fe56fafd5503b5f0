// The error that a client gets when a webhook says no: the webhook's own Status, made fit for a refusal.

import { ApiError } from '../../api/errors.ts';
import type { JsonObject } from '../../api/object.ts';
import type { StatusDetails } from '../../api/status.ts';
import { goQuote } from '../../base/go-quote.ts';
import { isObject, numberAt, textAt } from '../../resources/value.ts';

const MIN_CODE = 400;
const MAX_CODE = 599;

export function denial(webhook: string, status: JsonObject = {}): ApiError {
  const [message, reason, code] = [textAt(status, 'message'), textAt(status, 'reason'), numberAt(status, 'code')];
  const why = message !== '' ? `: ${message}` : reason !== '' ? `: ${reason}` : ' without explanation';
  const { details } = status;
  return new ApiError({
    // What is not an error cannot be a refusal.
    code: code >= MIN_CODE && code <= MAX_CODE ? code : MIN_CODE,
    ...(reason === '' ? {} : { reason }),
    message: `admission webhook ${goQuote(webhook)} denied the request${why}`,
    ...(isObject(details) ? { details: details as StatusDetails } : {}),
  });
}
