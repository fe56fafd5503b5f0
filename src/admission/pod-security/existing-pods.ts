// Warnings about existing pods when a namespace starts to enforce a stricter Pod Security level: they are not affected,
// but would be rejected if created now.

import type { ApiObject } from '../../api/object.ts';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Steps } from '../../base/steps.ts';
import { type Checking, checkedPod } from './check.ts';
import { type LevelVersion, levelVersionText } from './policy.ts';
import { violations } from './standards.ts';

interface ExistingPods {
  readonly namespace: string;
  readonly pods: readonly ApiObject[];
  readonly enforce: LevelVersion;
  readonly checking: Checking;
  readonly clock: Clock;
  /** When to stop, in the clock's milliseconds. */
  readonly deadline: number;
}

/** One warning for each kind of violation, naming the first of the pods that have it. A step for each pod. */
export function* existingPodWarnings(existing: ExistingPods): Steps<string[]> {
  const { namespace, pods, enforce } = existing;
  const chosen = oneOfEachOwnerFirst(pods).slice(0, limits.podSecurityPods);
  const breaches = new Map<string, string[]>();
  let checked = 0;
  for (const pod of chosen) {
    const reasons = violations(enforce, checkedPod(pod, existing.checking)).map(({ reason }) => reason);
    if (reasons.length > 0) {
      const text = reasons.join(', ');
      const names = breaches.get(text);
      const name = pod.metadata.name ?? '';
      if (names === undefined) breaches.set(text, [name]);
      else names.push(name);
    }
    checked++;
    if (existing.clock.now() >= existing.deadline) break;
    yield;
  }
  const warnings: string[] = [];
  if (checked < pods.length) {
    warnings.push(
      `new PodSecurity enforce level only checked against the first ${checked} of ${pods.length} existing pods`,
    );
  }
  if (breaches.size > 0) {
    const level = levelVersionText(enforce);
    warnings.push(`existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${level}"`);
  }
  return [...warnings, ...[...breaches].map(([text, names]) => `${namesText(names)}: ${text}`).sort()];
}

/** Pods of one owner are alike: if not all can be evaluated, one of each is most informative. */
function oneOfEachOwnerFirst(pods: readonly ApiObject[]): ApiObject[] {
  const first: ApiObject[] = [];
  const rest: ApiObject[] = [];
  const seen = new Set<string>();
  for (const pod of pods) {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
    if (owner !== undefined && seen.has(owner)) {
      rest.push(pod);
      continue;
    }
    if (owner !== undefined) seen.add(owner);
    first.push(pod);
  }
  return [...first, ...rest];
}

function namesText(names: string[]): string {
  const [first] = names.sort();
  const others = names.length - 1;
  if (others === 0) return `${first}`;
  return `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}
