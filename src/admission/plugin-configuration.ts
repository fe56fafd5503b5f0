// Configuration of admission plugins, with their defaults.

import type { JsonObject } from '../api/object.ts';
import type { EventLimit } from './event-rate-limit.ts';
import { DEFAULT_POD_SECURITY, type PodSecurityConfiguration } from './pod-security/configuration.ts';

export interface PluginConfiguration {
  /** The limits of EventRateLimit; none where it is not configured. */
  readonly eventLimits: readonly EventLimit[];
  readonly podSecurity: PodSecurityConfiguration;
  /** PodNodeSelector: by namespace, and for the whole cluster. */
  readonly nodeSelectors: Readonly<Record<string, string>>;
  /** PodTolerationRestriction, for namespaces that say nothing. */
  readonly tolerations: { readonly defaults: readonly JsonObject[]; readonly allowed: readonly JsonObject[] };
}

export const NO_CONFIGURATION: PluginConfiguration = {
  eventLimits: [],
  podSecurity: DEFAULT_POD_SECURITY,
  nodeSelectors: {},
  tolerations: { defaults: [], allowed: [] },
};
