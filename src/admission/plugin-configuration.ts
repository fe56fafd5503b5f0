// Configuration of admission plugins, with their defaults.

import type { JsonObject } from '../api/object.ts';
import type { WebhookUsers } from '../outbound/webhook-call.ts';
import type { WebhookQuestion } from '../outbound/webhook-question.ts';
import type { EventRates } from './event-rate-limit.ts';
import type { ManifestPlugin } from './manifests.ts';
import { DEFAULT_POD_SECURITY, type PodSecurityConfiguration } from './pod-security/configuration.ts';
import type { LimitedResource } from './quota/limited-resources.ts';

/** The backend of ImagePolicyWebhook, and the cache TTLs of its decisions. */
export interface ImagePolicyConfiguration {
  readonly question: Pick<WebhookQuestion, 'ask'>;
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
  /** Whether pods are admitted if the webhook is unavailable. */
  readonly defaultAllow: boolean;
}

export interface PluginConfiguration {
  /** The limits of EventRateLimit; undefined if not configured. */
  readonly eventRates?: EventRates;
  readonly podSecurity: PodSecurityConfiguration;
  /** Resources that can only be consumed if a ResourceQuota covers them. */
  readonly limitedResources: readonly LimitedResource[];
  /** PodNodeSelector: by namespace, and for the whole cluster. */
  readonly nodeSelectors: Readonly<Record<string, string>>;
  /** PodTolerationRestriction, for namespaces without annotations. */
  readonly tolerations: { readonly defaults: readonly JsonObject[]; readonly allowed: readonly JsonObject[] };
  /** ImagePolicyWebhook; undefined if disabled. */
  readonly imagePolicy?: ImagePolicyConfiguration;
  /** Credentials for mutating and validating webhooks; undefined for none. */
  readonly mutatingWebhookUsers?: WebhookUsers;
  readonly validatingWebhookUsers?: WebhookUsers;
  /** The absolute paths of folders with manifests, by plugin; undefined for none. */
  readonly manifestFolders?: Readonly<Partial<Record<ManifestPlugin, string>>>;
}

export const NO_CONFIGURATION: PluginConfiguration = {
  podSecurity: DEFAULT_POD_SECURITY,
  limitedResources: [],
  nodeSelectors: {},
  tolerations: { defaults: [], allowed: [] },
};
