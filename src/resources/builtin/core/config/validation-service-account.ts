// Validation of ServiceAccounts and TokenRequests.

import type { Draft, JsonObject } from '../../../../api/object.ts';
import type { KindRules } from '../../../definition.ts';
import type { ServiceAccount } from './objects.ts';

const MOUNTABLE = 'kubernetes.io/enforce-mountable-secrets';
/** Secret references of an account only keep their names. */
function keepNames(account: Draft<ServiceAccount>): void {
  const secrets = account.secrets ?? [];
  if (secrets.length > 0) account['secrets'] = secrets.map((secret) => nameOnly(secret.name ?? ''));
}

function nameOnly(name: string): JsonObject {
  return name === '' ? {} : { name };
}

export const serviceAccountRules: KindRules<ServiceAccount> = {
  checks: { update: ['metadataChange', 'metadata', 'content'] },
  prepareForCreate: keepNames,
  prepareForUpdate: keepNames,
  // A warning is given only once.
  warnings: (account, previous) =>
    account.metadata.annotations?.[MOUNTABLE] === undefined || previous?.metadata.annotations?.[MOUNTABLE] !== undefined
      ? []
      : [
          `metadata.annotations[${MOUNTABLE}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
        ],
};
