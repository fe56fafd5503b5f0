// Options of authorization: the authorizers, their order and their configuration.

import { goQuote, goQuoteList } from '../../base/go-quote.ts';
import { type ReleaseOptions, requestedRelease } from '../../lifecycle/emulated-version.ts';
import { FeatureGates } from '../../lifecycle/feature-gates.ts';

export interface AuthorizationOptions {
  /** Node, RBAC, ABAC, Webhook, AlwaysAllow, AlwaysDeny, in order. */
  readonly authorizationMode: readonly string[];
  /** File of an AuthorizationConfiguration instead of modes; undefined for none. */
  readonly authorizationConfig: string | undefined;
  /** File of ABAC policies, one JSON object per line. */
  readonly authorizationPolicyFile: string | undefined;
  /** Kubeconfig of the webhook of mode Webhook. */
  readonly authorizationWebhookConfigFile: string | undefined;
  readonly authorizationWebhookVersion: string;
  readonly authorizationWebhookCacheAuthorizedTtlMs: number;
  readonly authorizationWebhookCacheUnauthorizedTtlMs: number;
}

/** kube-apiserver's defaults, except for the modes: not everything is allowed by default. */
export const defaultAuthorizationOptions: AuthorizationOptions = {
  authorizationMode: ['Node', 'RBAC'],
  authorizationConfig: undefined,
  authorizationPolicyFile: undefined,
  authorizationWebhookConfigFile: undefined,
  authorizationWebhookVersion: 'v1beta1',
  authorizationWebhookCacheAuthorizedTtlMs: 300_000,
  authorizationWebhookCacheUnauthorizedTtlMs: 30_000,
};

export const AUTHORIZATION_MODES: readonly string[] = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'];

/** Options that a configuration file replaces. */
const LEGACY: readonly (keyof AuthorizationOptions)[] = [
  'authorizationMode',
  'authorizationWebhookConfigFile',
  'authorizationWebhookVersion',
  'authorizationWebhookCacheAuthorizedTtlMs',
  'authorizationWebhookCacheUnauthorizedTtlMs',
];

/** An empty list of modes allows everything, as in kube-apiserver. */
export function authorizationModes({ authorizationMode: modes }: AuthorizationOptions): readonly string[] {
  return modes.length === 0 ? ['AlwaysAllow'] : modes;
}

/** Options that others are validated with. */
interface RelatedOptions extends ReleaseOptions {
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly givenOptions?: readonly string[];
}

/** Errors in kube-apiserver's words. */
export function authorizationProblems(options: AuthorizationOptions & RelatedOptions): string[] {
  if (options.authorizationConfig !== undefined) {
    const gates = new FeatureGates(options.featureGates, requestedRelease(options));
    if (!gates.enabled('StructuredAuthorizationConfiguration')) {
      const why = 'cannot be used without enabling StructuredAuthorizationConfiguration feature flag';
      return [`--authorization-config ${why}`];
    }
    const isGiven = LEGACY.some(
      (name) =>
        options.givenOptions?.includes(name) === true ||
        JSON.stringify(options[name]) !== JSON.stringify(defaultAuthorizationOptions[name]),
    );
    const why = 'can not be specified when --authorization-mode or --authorization-webhook-* flags are defined';
    return isGiven ? [`--authorization-config ${why}`] : [];
  }
  const { authorizationPolicyFile: policies, authorizationWebhookConfigFile: hook } = options;
  const modes = authorizationModes(options);
  const problems: string[] = [];
  for (const mode of modes) {
    if (!AUTHORIZATION_MODES.includes(mode)) {
      problems.push(`authorization-mode ${goQuote(mode)} is not a valid mode`);
    }
    if (mode === 'ABAC' && policies === undefined) {
      problems.push("authorization-mode ABAC's authorization policy file not passed");
    }
    if (mode === 'Webhook' && hook === undefined) {
      problems.push("authorization-mode Webhook's authorization config file not passed");
    }
  }
  if (policies !== undefined && !modes.includes('ABAC')) {
    problems.push('cannot specify --authorization-policy-file without mode ABAC');
  }
  if (hook !== undefined && !modes.includes('Webhook')) {
    problems.push('cannot specify --authorization-webhook-config-file without mode Webhook');
  }
  if (new Set(modes).size < modes.length) {
    problems.push(`authorization-mode ${goQuoteList(modes)} has mode specified more than once`);
  }
  return problems;
}
