// Evaluation of a pod or pod template at the levels of its namespace: each level is evaluated once, and its result
// recorded for each mode that uses it.

import type { PodSecurityMetrics, PodSecurityMode, PodSecurityRequest } from '../../lifecycle/pod-security-metrics.ts';
import type { AdmissionRequest } from '../chain.ts';
import { isOf, PODS } from '../resources.ts';
import type { CheckedPod } from './check.ts';
import { type LevelVersion, levelVersionText } from './policy.ts';
import { violations } from './standards.ts';

/** Labels of a request in metrics. */
export function countedRequest({ operation, request }: AdmissionRequest): PodSecurityRequest {
  return {
    operation: operation === 'update' ? 'update' : 'create',
    resource: isOf(PODS, request.definition) ? 'pod' : 'controller',
    subresource: request.subresource,
  };
}

export class PodEvaluation {
  readonly #pod: CheckedPod;
  readonly #request: PodSecurityRequest;
  readonly #metrics: PodSecurityMetrics;
  readonly #found = new Map<string, string>();

  constructor(pod: CheckedPod, request: PodSecurityRequest, metrics: PodSecurityMetrics) {
    this.#pod = pod;
    this.#request = request;
    this.#metrics = metrics;
  }

  /** Why the pod violates a level; undefined if it complies. */
  breaches(mode: PodSecurityMode, level: LevelVersion): string | undefined {
    const name = levelVersionText(level);
    let text = this.#found.get(name);
    if (text === undefined) {
      text = breachesText(level, this.#pod);
      this.#found.set(name, text);
    }
    const allowed = text === '';
    // As in Kubernetes, audit and warn are only counted for violations.
    if (mode === 'enforce' || !allowed) this.#metrics.evaluated(this.#request, { mode, allowed, ...level });
    return allowed ? undefined : text;
  }
}

/** '' for a pod that complies with the level. */
function breachesText(level: LevelVersion, pod: CheckedPod): string {
  const found = violations(level, pod);
  if (found.length === 0) return '';
  const told = found.map(({ reason, detail }) => `${reason} (${detail})`);
  return `PodSecurity "${levelVersionText(level)}": ${told.join(', ')}`;
}
