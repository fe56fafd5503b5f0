// Configuration of admission plugins, with their defaults.

import type { JsonObject } from '../api/object.ts';
import type { WebhookUsers } from '../outbound/webhook-call.ts';
import type { WebhookQuestion } from '../outbound/webhook-question.ts';
import type { EventLimit } from './event-rate-limit.ts';
import { DEFAULT_POD_SECURITY, type PodSecurityConfiguration } from './pod-security/configuration.ts';
import type { LimitedResource } from './quota/limited-resources.ts';

/** Where ImagePolicyWebhook asks, and how long its answers count. */
export interface ImagePolicyConfiguration {
  readonly question: Pick<WebhookQuestion, 'ask'>;
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
  /** Whether pods are let in when the webhook cannot be asked. */
  readonly defaultAllow: boolean;
}

export interface PluginConfiguration {
  /** The limits of EventRateLimit; none where it is not configured. */
  readonly eventLimits: readonly EventLimit[];
  readonly podSecurity: PodSecurityConfiguration;
  /** What can be consumed only where a ResourceQuota covers it. */
  readonly limitedResources: readonly LimitedResource[];
  /** PodNodeSelector: by namespace, and for the whole cluster. */
  readonly nodeSelectors: Readonly<Record<string, string>>;
  /** PodTolerationRestriction, for namespaces that say nothing. */
  readonly tolerations: { readonly defaults: readonly JsonObject[]; readonly allowed: readonly JsonObject[] };
  /** ImagePolicyWebhook; undefined where it is off. */
  readonly imagePolicy?: ImagePolicyConfiguration;
  /** How webhooks that change and webhooks that judge come to know the server; undefined where they do not. */
  readonly mutatingWebhookUsers?: WebhookUsers;
  readonly validatingWebhookUsers?: WebhookUsers;
}

export const NO_CONFIGURATION: PluginConfiguration = {
  eventLimits: [],
  podSecurity: DEFAULT_POD_SECURITY,
  limitedResources: [],
  nodeSelectors: {},
  tolerations: { defaults: [], allowed: [] },
};
