// Configuration of PodSecurity: the policy of namespaces without labels, and exemptions.

import { NO_POLICY, type Policy } from './policy.ts';

export interface PodSecurityConfiguration {
  readonly defaults: Policy;
  readonly exemptions: {
    readonly usernames: readonly string[];
    readonly namespaces: readonly string[];
    readonly runtimeClasses: readonly string[];
  };
}

export const DEFAULT_POD_SECURITY: PodSecurityConfiguration = {
  defaults: NO_POLICY,
  exemptions: { usernames: [], namespaces: [], runtimeClasses: [] },
};
