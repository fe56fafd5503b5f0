// Invalid configurations, as files and flags, and helpers to write one of each kind.

export interface BadConfiguration {
  readonly name: string;
  /** Contents by file name. */
  readonly files?: Readonly<Record<string, string>>;
  /** `FOLDER` stands for the folder of the files. */
  readonly flags: readonly string[];
}

export const AUTHN = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
const AUTHZ = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\n';
const ADMISSION = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n';
export const EGRESS = 'apiVersion: apiserver.k8s.io/v1beta1\nkind: EgressSelectorConfiguration\n';
export const KUBECONFIG = `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]
users: [{name: u, user: {token: t}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`;

export const authn = (name: string, body: string, flags: readonly string[] = []): BadConfiguration => ({
  name: `authentication: ${name}`,
  files: { 'authn.yaml': AUTHN + body },
  flags: ['--authentication-config=FOLDER/authn.yaml', ...flags],
});
export const authnWhole = (name: string, text: string): BadConfiguration => ({
  name: `authentication: ${name}`,
  files: { 'authn.yaml': text },
  flags: ['--authentication-config=FOLDER/authn.yaml'],
});
/** An issuer that is valid except for the given fields, which replace earlier ones with the same name. */
export const issuer = (name: string, members: { issuer?: string; rest?: string }): BadConfiguration =>
  authn(
    name,
    `jwt:\n- issuer: ${members.issuer ?? '{url: "https://a.example", audiences: [a]}'}\n  ${
      members.rest ?? 'claimMappings: {username: {claim: sub, prefix: ""}}'
    }\n`,
  );
export const authz = (name: string, body: string, flags: readonly string[] = []): BadConfiguration => ({
  name: `authorization: ${name}`,
  files: { 'authz.yaml': AUTHZ + body, 'kubeconfig.yaml': KUBECONFIG },
  flags: ['--authorization-config=FOLDER/authz.yaml', ...flags],
});
const WEBHOOK = {
  timeout: '3s',
  failurePolicy: 'Deny',
  subjectAccessReviewVersion: 'v1',
  matchConditionSubjectAccessReviewVersion: 'v1',
  authorizedTTL: '5m',
  unauthorizedTTL: '30s',
  connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'FOLDER/kubeconfig.yaml' } as object,
};
export const webhook = (name: string, members: object): BadConfiguration =>
  authz(
    `webhook ${name}`,
    `authorizers: ${JSON.stringify([{ type: 'Webhook', name: 'w', webhook: { ...WEBHOOK, ...members } }])}\n`,
  );
export const admission = (
  name: string,
  body: string,
  { files = {}, flags = [] }: { files?: Record<string, string>; flags?: readonly string[] } = {},
): BadConfiguration => ({
  name: `admission: ${name}`,
  files: { 'admission.yaml': ADMISSION + body, ...files },
  flags: ['--admission-control-config-file=FOLDER/admission.yaml', ...flags],
});
export const plugin = (name: string, of: string, configuration: string): BadConfiguration =>
  admission(`${of} ${name}`, `plugins: [{name: ${of}, configuration: ${configuration}}]\n`, {
    flags: [`--enable-admission-plugins=${of}`],
  });
export const security = (name: string, members: string): BadConfiguration =>
  plugin(
    name,
    'PodSecurity',
    `{apiVersion: pod-security.admission.config.k8s.io/v1, kind: PodSecurityConfiguration, ${members}}`,
  );
export const rate = (name: string, limits: string): BadConfiguration =>
  plugin(
    name,
    'EventRateLimit',
    `{apiVersion: eventratelimit.admission.k8s.io/v1alpha1, kind: Configuration, limits: ${limits}}`,
  );
export const egress = (name: string, body: string): BadConfiguration => ({
  name: `egress: ${name}`,
  files: { 'egress.yaml': EGRESS + body },
  flags: ['--egress-selector-config-file=FOLDER/egress.yaml'],
});
export const flags = (name: string, ...given: string[]): BadConfiguration => ({ name: `flags: ${name}`, flags: given });
export const file = (name: string, flag: string, content: string, ...more: string[]): BadConfiguration => ({
  name: `file: ${name}`,
  files: { given: content },
  flags: [`--${flag}=FOLDER/given`, ...more],
});
