// Options of authentication other than certificates and the token file: JWT issuers, front proxies, the token webhook,
// bootstrap tokens and service account tokens.

import { goQuote } from '../../base/go-quote.ts';
import { parseUrl } from '../../cel/library/url.ts';
import { type ReleaseOptions, requestedRelease } from '../../lifecycle/emulated-version.ts';
import { FeatureGates } from '../../lifecycle/feature-gates.ts';

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
const CONFIG_NEEDS_GATE =
  'set --feature-gates=StructuredAuthenticationConfiguration=true to use authentication-config file';
const HOUR_MS = 3_600_000;
const LONGEST_TOKEN_MS = 2 ** 32 * 1000;

/** The issuers of service account tokens, beginning with the one that issues them. */
export function serviceAccountIssuers({ serviceAccountIssuer }: AuthenticationOptions): readonly string[] {
  return typeof serviceAccountIssuer === 'string' ? [serviceAccountIssuer] : serviceAccountIssuer;
}

/** Options that others are validated with. */
interface RelatedOptions extends ReleaseOptions {
  readonly serviceAccountSigningKeyFile: string | undefined;
  readonly apiAudiences: readonly string[];
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly givenOptions?: readonly string[];
}

/** Errors in kube-apiserver's words and order. */
export function authenticationProblems(options: AuthenticationOptions & RelatedOptions): string[] {
  const gates = new FeatureGates(options.featureGates, requestedRelease(options));
  return [
    ...oidcProblems(options, gates.enabled('StructuredAuthenticationConfiguration')),
    ...serviceAccountProblems(options),
    ...gates.tokenBindingProblems(),
    ...requestHeaderProblems(options, gates.enabled('RemoteRequestHeaderUID')),
  ];
}

function oidcProblems(options: AuthenticationOptions & RelatedOptions, takesFile: boolean): string[] {
  const isSet = OIDC_OPTIONS.some(
    (name) =>
      options.givenOptions?.includes(name) === true ||
      JSON.stringify(options[name]) !== JSON.stringify(defaultAuthenticationOptions[name]),
  );
  if (options.authenticationConfig !== undefined) {
    return [
      ...(takesFile ? [] : [CONFIG_NEEDS_GATE]),
      ...(isSet ? ['authentication-config file and oidc-* flags are mutually exclusive'] : []),
    ];
  }
  if (!isSet) return [];
  if (options.oidcIssuerUrl !== '' && options.oidcClientId !== '') return [];
  return ['oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set'];
}

function serviceAccountProblems(options: AuthenticationOptions): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  const issuers = serviceAccountIssuers(options);
  for (const issuer of issuers) {
    const fault = issuer.includes(':') ? parseUrl(issuer) : undefined;
    if (typeof fault === 'string') {
      problems.push(`service-account-issuer ${goQuote(issuer)} contained a ':' but was not a valid URL: ${fault}`);
    } else if (issuer === '') problems.push('service-account-issuer should not be an empty string');
    else if (seen.has(issuer)) problems.push(`service-account-issuer ${goQuote(issuer)} is already specified`);
    else seen.add(issuer);
  }
  if (issuers.length === 0) problems.push('service-account-issuer is a required flag');
  const { serviceAccountJwksUri: uri } = options;
  const url = uri === '' ? undefined : parseUrl(uri);
  if (typeof url === 'string') problems.push(`service-account-jwks-uri must be a valid URL: ${url}`);
  else if (url !== undefined && url.scheme !== 'https') {
    problems.push(`service-account-jwks-uri requires https scheme, parsed as: ${url}`);
  }
  return problems;
}

/** The error that ends completion of the options. */
export function tokenLifetimeProblem(options: AuthenticationOptions & RelatedOptions): string | undefined {
  const { serviceAccountMaxTokenExpirationMs: maxMs, serviceAccountSigningEndpoint: endpoint } = options;
  if (maxMs !== 0 && (maxMs < HOUR_MS || maxMs > LONGEST_TOKEN_MS)) {
    return 'the service-account-max-token-expiration must be between 1 hour and 2^32 seconds';
  }
  if (!issuesTokens(options) || endpoint === '' || options.serviceAccountSigningKeyFile === undefined) return undefined;
  return 'service-account-signing-key-file and service-account-signing-endpoint are mutually exclusive and cannot be set at the same time';
}

function issuesTokens(options: AuthenticationOptions): boolean {
  return (serviceAccountIssuers(options)[0] ?? '') !== '';
}

/** Without an issuer there are no tokens of service accounts. */
export function tokenRequestProblems(options: AuthenticationOptions & RelatedOptions): string[] {
  if (issuesTokens(options)) return [];
  return options.serviceAccountSigningKeyFile === undefined && options.apiAudiences.length === 0
    ? ['--service-account-signing-key-file and --service-account-issuer are required flags']
    : [
        '--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together',
      ];
}

const ABSTRACT_SOCKET = /^@([a-zA-Z0-9_-]+\.)*[a-zA-Z0-9_-]+$/;

/** Errors in the external signer of tokens. */
export function signingProblems(options: AuthenticationOptions & RelatedOptions): string[] {
  const { serviceAccountSigningEndpoint: endpoint } = options;
  if (endpoint === '') return [];
  const problems: string[] = [];
  if (options.serviceAccountSigningKeyFile !== undefined || options.serviceAccountKeyFile.length > 0) {
    problems.push(
      "can't set `--service-account-signing-key-file` and/or `--service-account-key-file` with `--service-account-signing-endpoint` (They are mutually exclusive)",
    );
  }
  if (endpoint.startsWith('@') && !ABSTRACT_SOCKET.test(endpoint)) {
    problems.push(
      `invalid value ${goQuote(endpoint)} passed for \`--service-account-signing-endpoint\`, when prefixed with @ must be a valid abstract socket name`,
    );
  }
  return problems;
}

function requestHeaderProblems(options: AuthenticationOptions, takesUids: boolean): string[] {
  const uids = options.requestheaderUidHeaders;
  const lists: [flag: string, values: readonly string[]][] = [
    ['requestheader-username-headers', options.requestheaderUsernameHeaders],
    ['requestheader-group-headers', options.requestheaderGroupHeaders],
    ['requestheader-extra-headers-prefix', options.requestheaderExtraHeadersPrefix],
    ['requestheader-allowed-names', options.requestheaderAllowedNames],
    ['requestheader-uid-headers', takesUids ? uids : []],
  ];
  const problems = lists
    .filter(([, values]) => values.some((value) => value.trim() === ''))
    .map(([flag]) => `empty value in ${JSON.stringify(flag)}`);
  if (uids.length === 0) return problems;
  if (!takesUids) {
    return [...problems, '--requestheader-uid-headers requires the "RemoteRequestHeaderUID" feature to be enabled'];
  }
  if (!uids.some((header) => header.toLowerCase() === 'x-remote-uid')) {
    problems.push(
      '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work',
    );
  }
  return problems;
}
