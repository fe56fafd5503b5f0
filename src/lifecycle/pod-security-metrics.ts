// Metrics of the admission plugin PodSecurity, with kube-apiserver's names.

import type { MetricRegistry } from './metrics.ts';
import { CURRENT_MINOR } from './version.ts';

export type PodSecurityMode = 'enforce' | 'audit' | 'warn';

/** The evaluated request. */
export interface PodSecurityRequest {
  readonly operation: 'create' | 'update';
  readonly resource: 'pod' | 'controller';
  readonly subresource: string;
}

export interface PodSecurityDecision {
  readonly mode: PodSecurityMode;
  readonly allowed: boolean;
  readonly level: string;
  /** The minor version of the standard; infinite for latest. */
  readonly minor: number;
}

export type PodSecurityMetrics = ReturnType<typeof declarePodSecurityMetrics>;

const requestLabels = ['request_operation', 'resource', 'subresource'] as const;

export function declarePodSecurityMetrics(registry: MetricRegistry) {
  const counter = <Label extends string>(name: string, help: string, labels: readonly Label[]) =>
    registry.counter({ name: `pod_security_${name}_total`, help, stability: 'ALPHA', labels });
  const evaluations = counter('evaluations', 'Evaluations of pods and templates, and their decisions.', [
    ...(['decision', 'mode', 'policy_level', 'policy_version'] as const),
    ...requestLabels,
  ]);
  const exemptions = counter('exemptions', 'Exempt requests.', requestLabels);
  const errors = counter('errors', 'Failed policy lookups; fatal if the request was rejected.', [
    'fatal',
    ...requestLabels,
  ]);
  for (const operation of ['create', 'update'] as const) {
    for (const resource of ['pod', 'controller'] as const) {
      exemptions.with(labelsOf({ operation, resource, subresource: '' }));
    }
  }
  return {
    evaluated(request: PodSecurityRequest, { mode, allowed, level, minor }: PodSecurityDecision): void {
      const policy_version = level === 'privileged' ? 'latest' : versionLabel(minor);
      const decision = allowed ? 'allow' : 'deny';
      evaluations.with({ ...labelsOf(request), decision, mode, policy_level: level, policy_version }).add();
    },
    exempted(request: PodSecurityRequest): void {
      exemptions.with(labelsOf(request)).add();
    },
    failed(request: PodSecurityRequest, fatal: boolean): void {
      errors.with({ ...labelsOf(request), fatal: String(fatal) }).add();
    },
  };
}

function labelsOf({ operation, resource, subresource }: PodSecurityRequest) {
  return { request_operation: operation, resource, subresource };
}

function versionLabel(minor: number): string {
  if (!Number.isFinite(minor)) return 'latest';
  return minor > CURRENT_MINOR ? 'future' : `v1.${minor}`;
}
