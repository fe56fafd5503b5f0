// Service account tokens of the old kind, which lie in secrets and do not expire: each holds as long as its secret does,
// and as the account that it names.

import { Buffer } from 'node:buffer';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { textMember } from '../../api/untyped-members.ts';
import { goQuote } from '../../base/go-quote.ts';
import type { ObjectReader } from '../object-reader.ts';
import { splitServiceAccount } from '../service-account.ts';
import { TokenError, type TokenRemarks } from './authenticator.ts';
import type { NamedObject } from './token-issuer.ts';

/** How the token came into its secret: by the server itself or by hand; or that it is marked as invalid. */
export type SecretTokenUse = 'legacyAuto' | 'legacyManual' | 'legacyInvalid';

/** A secret whose token was used. */
export interface UsedSecret {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface SecretTokenChecks {
  readonly objects: ObjectReader;
  /** False: neither secret nor account are looked at. */
  readonly looksUp: boolean | undefined;
  readonly onUse: ((use: SecretTokenUse) => void) | undefined;
  readonly onSecretUse: ((secret: UsedSecret) => void) | undefined;
}

interface PresentedToken {
  readonly token: string;
  readonly subject: string;
  readonly claims: SecretClaims;
  readonly remarks: TokenRemarks;
}

interface SecretClaims {
  readonly namespace: string;
  readonly secretName: string;
  readonly account: NamedObject;
}

/** The label of a secret whose token is not to be used any more. */
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const AUTO_GENERATED =
  'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.';
const INVALIDATED = 'Token has been invalidated';

export function readSecretClaims(claims: JsonObject): SecretClaims {
  const claim = (name: string) => textMember(claims, `kubernetes.io/serviceaccount/${name}`);
  return {
    namespace: claim('namespace'),
    secretName: claim('secret.name'),
    account: { name: claim('service-account.name'), uid: claim('service-account.uid') },
  };
}

/** @returns the account that the token is for @throws TokenError for a token that does not hold (any more) */
export async function checkSecretToken(presented: PresentedToken, checks: SecretTokenChecks): Promise<SecretClaims> {
  const { subject, claims } = presented;
  checkClaims(subject, claims);
  if (checks.looksUp === false) return claims;
  const secret = await findSecret(presented, checks.objects);
  const account = await findAccount(claims, checks.objects);
  noteUse(presented, { secret, account, checks });
  return claims;
}

function checkClaims(subject: string, { namespace, secretName, account }: SecretClaims): void {
  const told = Object.entries({
    sub: subject,
    namespace,
    secretName,
    serviceAccountName: account.name,
    serviceAccountUID: account.uid,
  });
  const missing = told.find(([, value]) => value === '');
  if (missing !== undefined) throw new TokenError(`${missing[0]} claim is missing`);
  const named = splitServiceAccount(subject);
  if (named?.namespace !== namespace || named.name !== account.name) throw new TokenError('sub claim is invalid');
}

async function findSecret({ token, claims }: PresentedToken, objects: ObjectReader): Promise<ApiObject> {
  const secret = await objects.find({ group: '', resource: 'secrets' }, claims.namespace, claims.secretName);
  if (secret === undefined || secret.metadata.deletionTimestamp != null) throw new TokenError(INVALIDATED);
  const data = secret['data'] as JsonObject | undefined;
  const kept = Buffer.from(String(data?.['token'] ?? ''), 'base64').toString();
  if (kept !== token) throw new TokenError("Token does not match server's copy");
  return secret;
}

async function findAccount({ namespace, account }: SecretClaims, objects: ObjectReader): Promise<ApiObject> {
  const found = await objects.find({ group: '', resource: 'serviceaccounts' }, namespace, account.name);
  if (found === undefined) throw new TokenError(`serviceaccounts ${goQuote(account.name)} not found`);
  const { deletionTimestamp, uid = '' } = found.metadata;
  if (deletionTimestamp != null) throw new TokenError(`ServiceAccount ${namespace}/${account.name} has been deleted`);
  if (uid !== account.uid) throw new TokenError(`ServiceAccount UID (${uid}) does not match claim (${account.uid})`);
  return found;
}

/** @throws TokenError for the token of a secret that is marked as invalid */
function noteUse(
  { claims, remarks }: PresentedToken,
  { secret, account, checks }: { secret: ApiObject; account: ApiObject; checks: SecretTokenChecks },
): void {
  const { namespace, secretName: name } = claims;
  const { uid = '', labels = {} } = secret.metadata;
  const use = useOf(secret, account);
  checks.onUse?.(use);
  checks.onSecretUse?.({ namespace, name, uid, labels });
  if (use === 'legacyInvalid') {
    remarks.annotations.push(['authentication.k8s.io/legacy-token-invalidated', `${name}/${namespace}`]);
    throw new TokenError(
      `the token in secret ${namespace}/${name} for service account ${namespace}/${claims.account.name} has been ` +
        'marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the ' +
        `'${INVALID_SINCE}' label from the secret to temporarily allow use of this token`,
    );
  }
  if (use === 'legacyAuto') {
    remarks.warnings.push(AUTO_GENERATED);
    remarks.annotations.push(['authentication.k8s.io/legacy-token-autogenerated-secret', name]);
    return;
  }
  remarks.annotations.push(['authentication.k8s.io/legacy-token-manual-secret', name]);
}

function useOf({ metadata }: ApiObject, account: ApiObject): SecretTokenUse {
  if ((metadata.labels?.[INVALID_SINCE] ?? '') !== '') return 'legacyInvalid';
  const secrets = account['secrets'] as readonly { readonly name?: string }[] | undefined;
  const isOwn = Array.isArray(secrets) && secrets.some(({ name }) => name === metadata.name);
  return isOwn ? 'legacyAuto' : 'legacyManual';
}
