// Authentication by JWT issuers, configured by --authentication-config or --oidc-*. Loaded only if one of them is set,
// together with the package `jose`.

import { compactVerify, importJWK } from 'jose';
import { fieldError } from '../../api/errors.ts';
import { JwtIssuer } from '../../auth/authn/jwt/jwt-issuer.ts';
import { type JwtIssuerSettings, SIGNING_ALGORITHMS } from '../../auth/authn/jwt/jwt-issuer-settings.ts';
import { JwtIssuers } from '../../auth/authn/jwt/jwt-issuers.ts';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import type { FeatureGateName } from '../../lifecycle/feature-gate-table.ts';
import type { JwtMetrics } from '../../lifecycle/jwt-metrics.ts';
import type { Dial } from '../../outbound/dial.ts';
import { textFetcher } from '../../outbound/fetch-text.ts';
import { ConfigurationError } from '../configuration-file.ts';
import type { Egress } from '../egress.ts';
import { readText } from '../files.ts';
import { serviceAccountIssuers } from '../options/authentication.ts';
import { isGiven, type ServerOptions } from '../options.ts';
import {
  type DeclaredAuthentication,
  type DeclaredIssuer,
  overlapErrors,
  readAuthenticationConfiguration,
  validateAuthentication,
} from './authentication-configuration.ts';
import { fieldErrorsText } from './field-errors-text.ts';
import { FollowedFile, NotYetUsable } from './followed-file.ts';

interface JwtAuthenticationNeeds {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly log: Log;
  readonly dial: Dial;
  /** The egress dialers, for issuers that select one; undefined without an egress configuration. */
  readonly egress: Egress['selected'];
  readonly gateEnabled: (gate: FeatureGateName) => boolean;
  readonly metrics: JwtMetrics;
  /** The hash of this server's ID. */
  readonly serverIdHash: string;
}

export interface JwtAuthentication {
  readonly issuers: JwtIssuers;
  /** The anonymous access in the file: whether it is allowed, or on which paths; undefined if not configured. */
  readonly anonymous: boolean | ReadonlySet<string> | undefined;
  stop(): void;
}

/** @throws Error for an unusable file, with kube-apiserver's message */
export async function loadJwtAuthentication(needs: JwtAuthenticationNeeds): Promise<JwtAuthentication> {
  const { options } = needs;
  const path = options.authenticationConfig;
  const text = path === undefined ? '' : readConfig(path);
  const declared = path === undefined ? declaredByFlags(options) : await declaredByFile(path, text);
  if (declared.anonymous !== undefined && isGiven(options, 'anonymousAuth')) {
    const why =
      '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file';
    throw new ConfigurationError(fieldErrorsText([fieldError.forbidden('anonymous', why)]));
  }
  const algorithms = path === undefined ? options.oidcSigningAlgs : SIGNING_ALGORITHMS;
  const { issuers: settings, errors } = validateAuthentication(declared, algorithms, needs.gateEnabled);
  if (errors.length > 0) {
    throw new ConfigurationError(`invalid authentication configuration: ${fieldErrorsText(errors)}`);
  }
  const overlaps = overlapErrors(settings, serviceAccountIssuers(options));
  if (overlaps.length > 0) throw new ConfigurationError(fieldErrorsText(overlaps));
  const unknown = algorithms.find((algorithm) => !SIGNING_ALGORITHMS.includes(algorithm));
  if (unknown !== undefined) throw new ConfigurationError(`oidc: unsupported signing alg: ${JSON.stringify(unknown)}`);
  const issuers = new JwtIssuers(settings.map((each) => openIssuer(each, needs)));
  const file = path === undefined ? undefined : follow({ path, text, declared, issuers }, needs);
  return {
    issuers,
    anonymous: anonymousOf(declared),
    stop: () => {
      file?.stop();
      issuers.stop();
    },
  };
}

function openIssuer(settings: JwtIssuerSettings, needs: JwtAuthenticationNeeds): JwtIssuer {
  const { clock, log, metrics, serverIdHash } = needs;
  const dial = dialOf(settings, needs);
  const measuresKeys = needs.gateEnabled('StructuredAuthenticationConfigurationJWKSMetrics');
  return new JwtIssuer({
    ...{ settings, clock },
    jose: { compactVerify, importJWK },
    fetchText: textFetcher({ dial, clock, ca: settings.certificateAuthority }),
    onFailure: (url, error) => log.error('oidc authenticator: initializing plugin', { url, error }),
    onDone: (url, result, seconds) => metrics.authenticated(url, result, seconds),
    onKeys: measuresKeys
      ? (issuer, document) => metrics.keysFetched({ issuer, serverIdHash }, document, clock.now() / 1000)
      : undefined,
  });
}

/** @throws ConfigurationError if an issuer selects an egress type that is not configured */
function dialOf({ egressSelectorType = '' }: JwtIssuerSettings, { dial, egress }: JwtAuthenticationNeeds): Dial {
  if (egressSelectorType === '') return dial;
  const type = JSON.stringify(egressSelectorType);
  if (egress === undefined)
    throw new ConfigurationError(`oidc: egress lookup required with egress selector type ${type}`);
  const selected = egress[egressSelectorType === 'controlplane' ? 'controlplane' : 'cluster'];
  if (selected === undefined) throw new ConfigurationError(`oidc: egress lookup for ${type} is not configured`);
  return selected;
}

function readConfig(path: string): string {
  try {
    return readText(path);
  } catch (error) {
    throw new ConfigurationError(failedToLoad(path, (error as Error).message), { cause: error });
  }
}

async function declaredByFile(path: string, text: string): Promise<DeclaredAuthentication> {
  try {
    return await declaredBy(text);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(failedToLoad(path, error.message), { cause: error });
  }
}

function failedToLoad(path: string, why: string): string {
  return `failed to load authentication configuration from file ${JSON.stringify(path)}: ${why}`;
}

async function declaredBy(text: string): Promise<DeclaredAuthentication> {
  if (text === '') throw new ConfigurationError('empty config data');
  return readAuthenticationConfiguration(text);
}

/** The --oidc-* flags as an equivalent configuration. @throws Error if the CA file cannot be read */
function declaredByFlags(options: ServerOptions): DeclaredAuthentication {
  const { oidcIssuerUrl: url, oidcClientId, oidcUsernameClaim: claim, oidcUsernamePrefix, oidcGroupsClaim } = options;
  const byUrl = oidcUsernamePrefix === '' && claim !== 'email' ? `${url}#` : oidcUsernamePrefix;
  const issuer: DeclaredIssuer = {
    issuer: {
      ...{ url, audiences: [oidcClientId] },
      ...(options.oidcCaFile === undefined ? {} : { certificateAuthority: readText(options.oidcCaFile) }),
    },
    claimMappings: {
      username: { claim, prefix: byUrl === '-' ? '' : byUrl },
      ...(oidcGroupsClaim === '' ? {} : { groups: { claim: oidcGroupsClaim, prefix: options.oidcGroupsPrefix } }),
    },
    claimValidationRules: Object.entries(options.oidcRequiredClaim).map(([each, requiredValue]) => ({
      claim: each,
      requiredValue,
    })),
  };
  return { jwt: [issuer] };
}

function anonymousOf({ anonymous }: DeclaredAuthentication): boolean | ReadonlySet<string> | undefined {
  if (anonymous === undefined) return undefined;
  const { enabled = false, conditions = [] } = anonymous;
  return enabled && conditions.length > 0 ? new Set(conditions.map(({ path = '' }) => path)) : enabled;
}

interface Followed {
  readonly path: string;
  readonly text: string;
  readonly declared: DeclaredAuthentication;
  readonly issuers: JwtIssuers;
}

function follow({ path, text, declared, issuers }: Followed, needs: JwtAuthenticationNeeds): FollowedFile {
  const { options, clock, log, metrics, serverIdHash } = needs;
  const disallowed = serviceAccountIssuers(options);
  return new FollowedFile({
    ...{ path, text, clock, log, serverIdHash },
    subject: 'authentication',
    metrics: metrics.configuration,
    apply: async (changed) => {
      const next = await declaredBy(changed);
      const { issuers: settings, errors } = validateAuthentication(next, SIGNING_ALGORITHMS, needs.gateEnabled);
      const all = [...errors, ...overlapErrors(settings, disallowed)];
      if (JSON.stringify(next.anonymous) !== JSON.stringify(declared.anonymous)) {
        all.push(fieldError.forbidden('anonymous', 'changed from initial configuration file'));
      }
      if (all.length > 0) throw new ConfigurationError(fieldErrorsText(all));
      const opened = settings.map((each) => openIssuer(each, needs));
      await allFound(opened, clock);
      for (const issuer of issuers.replace(opened)) metrics.forgotten({ issuer, serverIdHash });
    },
  });
}

/** @throws NotYetUsable if an issuer cannot be reached in time */
async function allFound(issuers: readonly JwtIssuer[], clock: Clock): Promise<void> {
  const found = Promise.all(issuers.map((issuer) => issuer.found)).then(() => true);
  let timer: { cancel(): void } | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = clock.after(limits.issuerDiscoveryMs, () => resolve(false));
  });
  const isFound = await Promise.race([found, tooLate]);
  timer?.cancel();
  if (isFound) return;
  const faults = issuers.flatMap(({ fault }) => (fault === undefined ? [] : [fault.message]));
  for (const issuer of issuers) issuer.stop();
  throw new NotYetUsable(`issuers are unavailable: ${faults.join(', ')}`);
}
