// Handler of OpenID Connect Discovery: the issuer's document and keys, with which others verify service account tokens.

import { errors } from '../../api/errors.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import { acceptsAny } from '../../api/media-type.ts';
import type { RequestContext } from '../request-context.ts';

const CONFIGURATION = '/.well-known/openid-configuration';
const KEYS = '/openid/v1/jwks';

export const OPENID_PATHS: readonly string[] = [CONFIGURATION, KEYS];

/** @returns false for other paths @throws ApiError 405, 406 */
export function respondOpenId(context: RequestContext, path: string): boolean {
  if (path === CONFIGURATION) respond(context, 'application/json', configuration(context));
  else if (path === KEYS) respond(context, 'application/jwk-set+json', keySet(context));
  else return false;
  return true;
}

function configuration({ services }: RequestContext) {
  const { issuer, keys, keysUrl } = services.serviceAccountTokens;
  return {
    issuer: issuer.url,
    jwks_uri: keysUrl || `https://${services.settings.externalAddress()}${KEYS}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.published().map((key) => key.algorithm))].sort(),
  };
}

function keySet({ services }: RequestContext) {
  return { keys: services.serviceAccountTokens.keys.published().map((key) => key.jwk) };
}

function respond(context: RequestContext, type: string, document: unknown): void {
  if (context.exchange.method !== 'GET') throw errors.methodNotAllowed();
  if (!acceptsAny(context.exchange.headers.accept, [type])) throw errors.noRepresentation([type]);
  const age = context.services.serviceAccountTokens.keys.maxAgeSeconds();
  const headers = { ...context.headers(type), 'cache-control': `public, max-age=${age}` };
  context.respond(200, headers, stringifyJson(document));
}
