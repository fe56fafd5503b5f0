// Who may speak to the server as whom: the sources of credentials, and the tokens that it issues itself.

import { join, resolve } from 'node:path';
import { type Authenticator, createAuthenticator, type TokenAuthenticator } from '../auth/authn/authenticator.ts';
import { ServiceAccountTokens } from '../auth/authn/service-account-tokens.ts';
import { loadTokenFile } from '../auth/authn/token-file.ts';
import { TokenIssuer } from '../auth/authn/token-issuer.ts';
import type { ObjectReader } from '../auth/object-reader.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { ServiceAccountTokenSettings } from '../http/api-services.ts';
import type { ServerOptions } from './options.ts';
import { loadSigningKey, readSigningKey } from './signing-key.ts';

export interface IdentityNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Sources of tokens that the options do not name. */
  readonly tokens: readonly TokenAuthenticator[];
  /** Nothing is kept: the key of tokens ends with the server. */
  readonly ephemeral: boolean;
}

export interface Identity {
  readonly serviceAccountTokens: ServiceAccountTokenSettings;
  authenticator(objects: ObjectReader): Authenticator;
}

/** @throws Error naming a file that can't be used */
export function loadIdentity(options: ServerOptions, needs: IdentityNeeds): Identity {
  const { clock, random, log, tokens, ephemeral } = needs;
  const fileTokens = options.tokenAuthFile === undefined ? [] : [loadTokenFile(options.tokenAuthFile, log)];
  const folder = ephemeral ? undefined : join(resolve(options.dataDir), 'pki');
  const { serviceAccountSigningKeyFile: file, serviceAccountIssuer: url, apiAudiences } = options;
  const key = file === undefined ? loadSigningKey(folder) : readSigningKey(file);
  const issuer = new TokenIssuer({ url, key, clock, random });
  const audiences = apiAudiences.length === 0 ? [url] : apiAudiences;
  return {
    serviceAccountTokens: { issuer, audiences },
    authenticator: (objects) =>
      createAuthenticator({
        tokens: [...fileTokens, ...tokens, new ServiceAccountTokens({ issuer, audiences, objects, clock })],
        anonymous: options.anonymousAuth,
        audiences,
      }),
  };
}
