// The rules of service accounts and of requests for their tokens.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import type { ApiObject, JsonObject } from '../../../../api/object.ts';
import type { Behaviour } from '../../../definition.ts';
import { listAt, numberAt, textAt } from '../../../value.ts';

const MOUNTABLE = 'kubernetes.io/enforce-mountable-secrets';
const LEAST_SECONDS = 10 * 60;
const MOST_SECONDS = 2 ** 32;

/** What a TokenRequest asks for. */
export function validateTokenRequest(request: JsonObject): FieldError[] {
  const seconds = numberAt(request, 'spec', 'expirationSeconds');
  const refuse = (why: string) => [fieldError.invalid('spec.expirationSeconds', seconds, why)];
  if (seconds < LEAST_SECONDS) return refuse('may not specify a duration less than 10 minutes');
  return seconds > MOST_SECONDS ? refuse('may not specify a duration larger than 2^32 seconds') : [];
}

/** Of the secrets of an account only their names are kept. */
function keepNames(account: ApiObject): void {
  const secrets = listAt(account, 'secrets');
  if (secrets.length > 0) account['secrets'] = secrets.map((secret) => nameOnly(textAt(secret, 'name')));
}

function nameOnly(name: string): JsonObject {
  return name === '' ? {} : { name };
}

export const serviceAccountRules: Partial<Behaviour> = {
  updateChecks: ['metadataChange', 'metadata', 'content'],
  prepareForCreate: keepNames,
  prepareForUpdate: keepNames,
  // Who has been told is not told again.
  warnings: (account, previous) =>
    account.metadata.annotations?.[MOUNTABLE] === undefined || previous?.metadata.annotations?.[MOUNTABLE] !== undefined
      ? []
      : [
          `metadata.annotations[${MOUNTABLE}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
        ],
};
