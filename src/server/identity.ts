// Wiring of authentication and authorization: the sources of credentials, and the tokens that the server issues.

import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { CallObserver } from '../api/call-trace.ts';
import { type Authenticator, createAuthenticator, type TokenAuthenticator } from '../auth/authn/authenticator.ts';
import { BootstrapTokens } from '../auth/authn/bootstrap-tokens.ts';
import { FrontProxy } from '../auth/authn/front-proxy.ts';
import type { UsedSecret } from '../auth/authn/secret-tokens.ts';
import { ServiceAccountTokens } from '../auth/authn/service-account-tokens.ts';
import { loadTokenFile, type StaticTokens } from '../auth/authn/token-file.ts';
import { secretTokenClaims, TokenIssuer } from '../auth/authn/token-issuer.ts';
import { TokenKey } from '../auth/authn/token-key.ts';
import { fixedKeys, type TokenKeys } from '../auth/authn/token-keys.ts';
import type { ObjectReader } from '../auth/object-reader.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { SecretTokenMaker } from '../controllers/service-account-token.ts';
import type { ServiceAccountTokenSettings } from '../http/request-services.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import type { FeatureGates } from '../lifecycle/feature-gates.ts';
import type { AuthMetrics } from '../lifecycle/server-metrics.ts';
import type { Dial } from '../outbound/dial.ts';
import type { JwtAuthentication } from './access/jwt-authentication.ts';
import { ConfigurationError } from './configuration-file.ts';
import { contentHash } from './content-hash.ts';
import type { Egress } from './egress.ts';
import { serverIdHash } from './encryption/server-id.ts';
import { readText } from './files.ts';
import { GRPC_PACKAGES, withPackages } from './optional-packages.ts';
import { serviceAccountIssuers } from './options/authentication.ts';
import { authorizationModes } from './options/authorization.ts';
import type { ServerOptions } from './options.ts';
import { type FreshCertificates, makeCertificates, servingHosts } from './pki.ts';
import { firstServiceAddress } from './service-range.ts';
import { loadSigningKey, readSigningKey, readVerificationKeys } from './signing-key.ts';

interface IdentityNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly dial: Dial;
  readonly egress: Egress;
  readonly observeCall: CallObserver;
  readonly metrics: AuthMetrics;
  readonly gates: FeatureGates;
  /** Token authenticators in addition to those in the options. */
  readonly tokens: readonly TokenAuthenticator[];
  /** Nothing is persisted: the signing key is lost when the server ends. */
  readonly ephemeral: boolean;
  /** Existing identity, for a server that replaces another one. */
  readonly keys?: Partial<ServerKeys> | undefined;
}

/** The identity of a server for its clients, besides its address. */
export interface ServerKeys {
  readonly certificates: FreshCertificates;
  readonly tokens: TokenKey;
}

/** The identity of a server that persists nothing and may be replaced; reachable at the loopback address. */
export function makeServerKeys(
  clock: Clock,
  { serviceClusterIpRange, tlsSan }: Pick<ServerOptions, 'serviceClusterIpRange' | 'tlsSan'>,
): ServerKeys {
  const hosts = servingHosts('127.0.0.1', firstServiceAddress(serviceClusterIpRange), tlsSan);
  return { certificates: makeCertificates({ clock, hosts }), tokens: TokenKey.generate() };
}

export interface Identity {
  readonly serviceAccountTokens: ServiceAccountTokenSettings;
  /** Creates the tokens in secrets; undefined with an external signer, which does not. */
  readonly makeSecretToken: SecretTokenMaker | undefined;
  /** @param onSecretUse called with each secret whose token was used */
  authenticator(objects: ObjectReader, onSecretUse?: (secret: UsedSecret) => void): Authenticator;
  stop(): void;
}

/** @throws Error with the unusable file */
export async function loadIdentity(options: ServerOptions, needs: IdentityNeeds): Promise<Identity> {
  const { clock, log, tokens } = needs;
  const { settings, key, stop: stopTokens } = await serviceAccountTokens(options, needs);
  const { audiences, keys } = settings;
  const fileTokens = options.tokenAuthFile === undefined ? [] : [tokenFile(options.tokenAuthFile, log)];
  const jwt = await jwtAuthentication(options, needs);
  const webhook = await tokenWebhook(options, audiences, needs);
  const ownTokens = (objects: ObjectReader, onSecretUse: ((secret: UsedSecret) => void) | undefined) =>
    new ServiceAccountTokens({
      ...{ keys, audiences, objects, clock },
      issuers: serviceAccountIssuers(options),
      looksUp: options.serviceAccountLookup,
      gateEnabled: (gate) => needs.gates.enabled(gate),
      onUse: (use) => needs.metrics.tokenUses[use].add(),
      onSecretUse,
    });
  return {
    serviceAccountTokens: settings,
    makeSecretToken: key && ((...of) => key.sign(secretTokenClaims(...of))),
    authenticator: (objects, onSecretUse) =>
      createAuthenticator({
        tokens: [
          ...fileTokens,
          ...tokens,
          ownTokens(objects, onSecretUse),
          ...(options.enableBootstrapTokenAuth ? [new BootstrapTokens({ objects, clock })] : []),
          ...(jwt === undefined ? [] : [jwt.issuers]),
          ...(webhook === undefined ? [] : [webhook.source]),
        ],
        anonymous: jwt?.anonymous ?? (options.anonymousAuth && !allowsEverybody(options)),
        frontProxy: options.requestheaderClientCaFile === undefined ? undefined : frontProxy(options),
        certifiedUids: needs.gates.enabled('AllowParsingUserUIDFromCertAuth'),
        ...{ audiences, clock, metrics: needs.metrics },
      }),
    stop: () => {
      jwt?.stop();
      webhook?.stop();
      stopTokens();
    },
  };
}

interface OwnTokens {
  readonly settings: ServiceAccountTokenSettings;
  /** The server's own key; undefined with an external signer. */
  readonly key: TokenKey | undefined;
  stop(): void;
}

async function serviceAccountTokens(options: ServerOptions, needs: IdentityNeeds): Promise<OwnTokens> {
  const { clock, random, gates } = needs;
  const { apiAudiences, serviceAccountSigningEndpoint: endpoint } = options;
  const issuers = serviceAccountIssuers(options);
  const [url = ''] = issuers;
  const hasIds = gates.enabled('ServiceAccountTokenJTI');
  const maxExpirationSeconds = Math.floor(options.serviceAccountMaxTokenExpirationMs / 1000);
  const shared = {
    audiences: apiAudiences.length === 0 ? issuers : apiAudiences,
    keysUrl: options.serviceAccountJwksUri,
    extendsExpiration: options.serviceAccountExtendTokenExpiration,
  };
  if (endpoint === '') {
    const { key, keys } = ownKeys(options, needs);
    const issuer = new TokenIssuer({ url, signer: key, clock, random, hasIds });
    const lifetimes = { maxExpirationSeconds, extendedSeconds: EXTENDED_SECONDS };
    return { settings: { ...shared, ...lifetimes, issuer, keys }, key, stop: () => {} };
  }
  if (!gates.enabled('ExternalServiceAccountTokenSigner')) throw new ConfigurationError(SIGNER_NEEDS_GATE);
  const need = { flag: '--service-account-signing-endpoint', packages: GRPC_PACKAGES };
  const { openExternalTokens } = await withPackages(need, () => import('./access/external-tokens.ts'));
  const metrics = needs.metrics.tokenSigner(clock);
  const external = await openExternalTokens({ endpoint, maxExpirationSeconds, clock, log: needs.log, metrics });
  const lifetimes = {
    maxExpirationSeconds: external.maxExpirationSeconds,
    extendedSeconds: Math.min(external.maxSeconds, EXTENDED_SECONDS),
  };
  const issuer = new TokenIssuer({ url, signer: external.signer, clock, random, hasIds });
  const settings = { ...shared, ...lifetimes, issuer, keys: external.keys };
  return { settings, key: undefined, stop: () => external.stop() };
}

/** The extended validity of tokens of pods. */
const EXTENDED_SECONDS = 365 * 24 * 3600;
const SIGNER_NEEDS_GATE =
  'setting `--service-account-signing-endpoint` requires enabling ExternalServiceAccountTokenSigner feature gate';

function ownKeys(options: ServerOptions, { ephemeral, keys }: IdentityNeeds): { key: TokenKey; keys: TokenKeys } {
  const folder = ephemeral ? undefined : join(resolve(options.dataDir), 'pki');
  const { serviceAccountSigningKeyFile: file, serviceAccountKeyFile } = options;
  const key = file === undefined ? (keys?.tokens ?? loadSigningKey(folder)) : readSigningKey(file);
  const others = serviceAccountKeyFile.flatMap(readVerificationKeys).filter(({ id }) => id !== key.id);
  return { key, keys: fixedKeys([key, ...new Map(others.map((each) => [each.id, each])).values()]) };
}

function frontProxy(options: ServerOptions): FrontProxy {
  return new FrontProxy({
    allowedNames: options.requestheaderAllowedNames,
    usernameHeaders: options.requestheaderUsernameHeaders,
    uidHeaders: options.requestheaderUidHeaders,
    groupHeaders: options.requestheaderGroupHeaders,
    extraHeaderPrefixes: options.requestheaderExtraHeadersPrefix,
  });
}

async function jwtAuthentication(
  options: ServerOptions,
  { clock, log, dial, egress, gates, metrics }: IdentityNeeds,
): Promise<JwtAuthentication | undefined> {
  if (options.authenticationConfig === undefined && options.oidcIssuerUrl === '') return undefined;
  const { loadJwtAuthentication } = await import('./access/jwt-authentication.ts');
  const own = serverIdHash(hostname());
  const gateEnabled = (gate: FeatureGateName) => gates.enabled(gate);
  const needs = { options, clock, log, dial, egress: egress.selected, gateEnabled };
  return loadJwtAuthentication({ ...needs, serverIdHash: own, metrics: metrics.jwt(contentHash) });
}

async function tokenWebhook(
  options: ServerOptions,
  audiences: readonly string[],
  { clock, random, egress, observeCall }: IdentityNeeds,
) {
  const path = options.authenticationTokenWebhookConfigFile;
  if (path === undefined) return undefined;
  const { loadTokenWebhook } = await import('./access/token-webhook.ts');
  return loadTokenWebhook(path, { options, audiences, clock, random, dial: egress.controlplane, observeCall });
}

/** With AlwaysAllow, anonymous users have all permissions, so anonymous access is off by default. */
function allowsEverybody(options: ServerOptions): boolean {
  return options.authorizationConfig === undefined && authorizationModes(options).includes('AlwaysAllow');
}

function tokenFile(path: string, log: Log): StaticTokens {
  return loadTokenFile({ path, text: readText(path), log });
}
