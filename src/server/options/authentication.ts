// Options of authentication other than certificates and the token file: JWT issuers, front proxies, the token webhook,
// bootstrap tokens and service account tokens.

import { parseUrl } from '../../cel/library/url.ts';

export interface AuthenticationOptions {
  /** File of an AuthenticationConfiguration; undefined for none. */
  readonly authenticationConfig: string | undefined;
  /** A single OIDC issuer, '' for none, and its claim mappings. */
  readonly oidcIssuerUrl: string;
  readonly oidcClientId: string;
  readonly oidcCaFile: string | undefined;
  readonly oidcUsernameClaim: string;
  /** '' for a prefix derived from the issuer's URL; `-` for none. */
  readonly oidcUsernamePrefix: string;
  readonly oidcGroupsClaim: string;
  readonly oidcGroupsPrefix: string;
  readonly oidcSigningAlgs: readonly string[];
  readonly oidcRequiredClaim: Readonly<Record<string, string>>;
  /** The CA for front proxies, and the headers in which they name users. */
  readonly requestheaderClientCaFile: string | undefined;
  readonly requestheaderAllowedNames: readonly string[];
  readonly requestheaderUsernameHeaders: readonly string[];
  readonly requestheaderUidHeaders: readonly string[];
  readonly requestheaderGroupHeaders: readonly string[];
  readonly requestheaderExtraHeadersPrefix: readonly string[];
  /** Kubeconfig of the token webhook; undefined for none. */
  readonly authenticationTokenWebhookConfigFile: string | undefined;
  readonly authenticationTokenWebhookVersion: string;
  readonly authenticationTokenWebhookCacheTtlMs: number;
  readonly enableBootstrapTokenAuth: boolean;
  /** Issuers of service account tokens: the first issues them, tokens of all are accepted. */
  readonly serviceAccountIssuer: string | readonly string[];
  /** PEM files of keys that verify service account tokens, in addition to the signing key. */
  readonly serviceAccountKeyFile: readonly string[];
  /** Whether legacy tokens are only valid while their secret exists. */
  readonly serviceAccountLookup: boolean;
  /** The published URL of the keys; '' for this server. */
  readonly serviceAccountJwksUri: string;
  /** The socket of an external signer, a path or `@name`; '' for none. */
  readonly serviceAccountSigningEndpoint: string;
  /** The longest validity of a token; 0 for no limit. */
  readonly serviceAccountMaxTokenExpirationMs: number;
  readonly serviceAccountExtendTokenExpiration: boolean;
}

/** kube-apiserver's defaults. */
export const defaultAuthenticationOptions: AuthenticationOptions = {
  authenticationConfig: undefined,
  oidcIssuerUrl: '',
  oidcClientId: '',
  oidcCaFile: undefined,
  oidcUsernameClaim: 'sub',
  oidcUsernamePrefix: '',
  oidcGroupsClaim: '',
  oidcGroupsPrefix: '',
  oidcSigningAlgs: ['RS256'],
  oidcRequiredClaim: {},
  requestheaderClientCaFile: undefined,
  requestheaderAllowedNames: [],
  requestheaderUsernameHeaders: [],
  requestheaderUidHeaders: [],
  requestheaderGroupHeaders: [],
  requestheaderExtraHeadersPrefix: [],
  authenticationTokenWebhookConfigFile: undefined,
  authenticationTokenWebhookVersion: 'v1beta1',
  authenticationTokenWebhookCacheTtlMs: 120_000,
  enableBootstrapTokenAuth: false,
  serviceAccountIssuer: ['https://kubernetes.default.svc'],
  serviceAccountKeyFile: [],
  serviceAccountLookup: true,
  serviceAccountJwksUri: '',
  serviceAccountSigningEndpoint: '',
  serviceAccountMaxTokenExpirationMs: 0,
  serviceAccountExtendTokenExpiration: true,
};

const OIDC_OPTIONS = (Object.keys(defaultAuthenticationOptions) as (keyof AuthenticationOptions)[]).filter((name) =>
  name.startsWith('oidc'),
);
const HOUR_MS = 3_600_000;
const LONGEST_TOKEN_MS = 2 ** 32 * 1000;

/** The issuers of service account tokens, beginning with the one that issues them. */
export function serviceAccountIssuers({ serviceAccountIssuer }: AuthenticationOptions): readonly string[] {
  return typeof serviceAccountIssuer === 'string' ? [serviceAccountIssuer] : serviceAccountIssuer;
}

/** Errors in kube-apiserver's words. */
export function authenticationProblems(options: AuthenticationOptions & SigningKey): string[] {
  return [
    ...oidcProblems(options),
    ...serviceAccountProblems(options),
    ...signingProblems(options),
    ...requestHeaderProblems(options),
  ];
}

function oidcProblems(options: AuthenticationOptions): string[] {
  const isSet = OIDC_OPTIONS.some(
    (name) => JSON.stringify(options[name]) !== JSON.stringify(defaultAuthenticationOptions[name]),
  );
  const problems: string[] = [];
  if (isSet && (options.oidcIssuerUrl === '' || options.oidcClientId === '')) {
    problems.push('oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set');
  }
  if (isSet && options.authenticationConfig !== undefined) {
    problems.push('authentication-config file and oidc-* flags are mutually exclusive');
  }
  return problems;
}

function serviceAccountProblems(options: AuthenticationOptions): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  const issuers = serviceAccountIssuers(options);
  for (const issuer of issuers) {
    if (issuer === '') problems.push('service-account-issuer should not be an empty string');
    else if (issuer.includes(':') && typeof parseUrl(issuer) === 'string') {
      problems.push(
        `service-account-issuer ${JSON.stringify(issuer)} contained a ':' but was not a valid URL: ${parseUrl(issuer)}`,
      );
    } else if (seen.has(issuer)) {
      problems.push(`service-account-issuer ${JSON.stringify(issuer)} is already specified`);
    }
    seen.add(issuer);
  }
  if (issuers.length === 0) problems.push('service-account-issuer is a required flag');
  const { serviceAccountJwksUri: uri, serviceAccountMaxTokenExpirationMs: maxMs } = options;
  if (uri !== '' && !uri.startsWith('https://')) {
    problems.push(`service-account-jwks-uri requires https scheme, parsed as: ${uri}`);
  }
  if (maxMs !== 0 && (maxMs < HOUR_MS || maxMs > LONGEST_TOKEN_MS)) {
    problems.push('the service-account-max-token-expiration must be between 1 hour and 2^32 seconds');
  }
  return problems;
}

interface SigningKey {
  readonly serviceAccountSigningKeyFile: string | undefined;
}

const ABSTRACT_SOCKET = /^@([a-zA-Z0-9_-]+\.)*[a-zA-Z0-9_-]+$/;

function signingProblems(options: AuthenticationOptions & SigningKey): string[] {
  const { serviceAccountSigningEndpoint: endpoint, serviceAccountSigningKeyFile, serviceAccountKeyFile } = options;
  if (endpoint === '') return [];
  if (serviceAccountSigningKeyFile !== undefined) {
    return [
      'service-account-signing-key-file and service-account-signing-endpoint are mutually exclusive and cannot be set at the same time',
    ];
  }
  const problems: string[] = [];
  if (serviceAccountKeyFile.length > 0) {
    problems.push(
      "can't set `--service-account-signing-key-file` and/or `--service-account-key-file` with `--service-account-signing-endpoint` (They are mutually exclusive)",
    );
  }
  if (endpoint.startsWith('@') && !ABSTRACT_SOCKET.test(endpoint)) {
    problems.push(
      `invalid value ${JSON.stringify(endpoint)} passed for \`--service-account-signing-endpoint\`, when prefixed with @ must be a valid abstract socket name`,
    );
  }
  return problems;
}

function requestHeaderProblems(options: AuthenticationOptions): string[] {
  const lists: [flag: string, values: readonly string[]][] = [
    ['requestheader-username-headers', options.requestheaderUsernameHeaders],
    ['requestheader-group-headers', options.requestheaderGroupHeaders],
    ['requestheader-extra-headers-prefix', options.requestheaderExtraHeadersPrefix],
    ['requestheader-allowed-names', options.requestheaderAllowedNames],
    ['requestheader-uid-headers', options.requestheaderUidHeaders],
  ];
  const problems = lists
    .filter(([, values]) => values.some((value) => value.trim() === ''))
    .map(([flag]) => `empty value in ${JSON.stringify(flag)}`);
  const uids = options.requestheaderUidHeaders;
  if (uids.length > 0 && !uids.some((header) => header.toLowerCase() === 'x-remote-uid')) {
    problems.push(
      '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work',
    );
  }
  return problems;
}
