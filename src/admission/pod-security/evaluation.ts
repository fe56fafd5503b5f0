// Evaluation of one pod, or of the template of one, at the levels that its namespace names: each level is looked at once,
// and what comes of it is counted for each mode that asks.

import type { PodSecurityMetrics, PodSecurityMode, PodSecurityRequest } from '../../lifecycle/pod-security-metrics.ts';
import type { AdmissionRequest } from '../chain.ts';
import type { CheckedPod } from './check.ts';
import { type LevelVersion, levelVersionText } from './policy.ts';
import { violations } from './standards.ts';

/** What metrics tell of a request. */
export function countedRequest({ operation, request }: AdmissionRequest): PodSecurityRequest {
  const { group, resource } = request.definition;
  return {
    operation: operation === 'update' ? 'update' : 'create',
    resource: group === '' && resource === 'pods' ? 'pod' : 'controller',
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

  /** What keeps the pod from meeting a level, in words; undefined where it meets it. */
  breaches(mode: PodSecurityMode, level: LevelVersion): string | undefined {
    const name = levelVersionText(level);
    let text = this.#found.get(name);
    if (text === undefined) {
      text = breachesText(level, this.#pod);
      this.#found.set(name, text);
    }
    const allowed = text === '';
    // As in Kubernetes, what only tells is counted where it has something to tell.
    if (mode === 'enforce' || !allowed) this.#metrics.evaluated(this.#request, { mode, allowed, ...level });
    return allowed ? undefined : text;
  }
}

/** '' for a pod that meets the level. */
function breachesText(level: LevelVersion, pod: CheckedPod): string {
  const found = violations(level, pod);
  if (found.length === 0) return '';
  const told = found.map(({ reason, detail }) => `${reason} (${detail})`);
  return `PodSecurity "${levelVersionText(level)}": ${told.join(', ')}`;
}
