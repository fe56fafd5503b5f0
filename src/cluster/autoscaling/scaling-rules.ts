// Bounds of an autoscaler: between the number that the metrics ask for and the one that is set are the stabilization
// against recent recommendations, the policies for the speed, and the least and greatest numbers of replicas.

import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from '../../resources/builtin/autoscaling/v2-objects.ts';
import type { ScalingHistory } from './scaling-history.ts';

/** kube-controller-manager's default, in seconds. */
const DOWN_WINDOW = 300;

interface Wish {
  readonly current: number;
  /** What the metrics ask for. */
  readonly desired: number;
  readonly least: number;
  readonly most: number;
  readonly behavior: HorizontalPodAutoscalerBehavior | undefined;
  readonly history: ScalingHistory;
  readonly nowMs: number;
}

/** A reason and a message for a condition. */
interface Why {
  readonly reason: string;
  readonly message: string;
}

interface Bounded {
  readonly replicas: number;
  /** Of the condition AbleToScale. */
  readonly stability: Why;
  /** Of the condition ScalingLimited. */
  readonly limit: Why;
  readonly isLimited: boolean;
}

const READY: Why = { reason: 'ReadyForNewScale', message: 'recommended size matches current size' };
const DOWN_STABILIZED: Why = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
};
const UP_STABILIZED: Why = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
};
const WITHIN: Why = { reason: 'DesiredWithinRange', message: 'the desired count is within the acceptable range' };
const TOO_FEW: Why = {
  reason: 'TooFewReplicas',
  message: 'the desired replica count is less than the minimum replica count',
};
const TOO_MANY: Why = {
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
};
const TOO_FAST_UP: Why = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
};
const TOO_FAST_DOWN: Why = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
};

/** The number of replicas to set, and why it is not what the metrics ask for. The wish becomes part of the history. */
export function bounded(wish: Wish): Bounded {
  const { desired, behavior, history, nowMs } = wish;
  const stable = behavior === undefined ? plainlyStable(wish) : stableByRules(wish, behavior);
  history.recommend(desired, nowMs);
  const isStabilized = stable !== desired;
  const isUp = behavior !== undefined && desired >= wish.current;
  const stability = isStabilized ? (isUp ? UP_STABILIZED : DOWN_STABILIZED) : READY;
  const [replicas, limit] =
    behavior === undefined ? plainlyLimited(wish, stable) : limitedByRules(wish, stable, behavior);
  return { replicas, stability, limit, isLimited: replicas !== stable };
}

function plainlyStable({ desired, history, nowMs }: Wish): number {
  return Math.max(desired, ...history.recommendedSince(nowMs - DOWN_WINDOW * 1000));
}

function stableByRules({ current, desired, history, nowMs }: Wish, behavior: HorizontalPodAutoscalerBehavior): number {
  const upWindow = behavior.scaleUp?.stabilizationWindowSeconds ?? 0;
  const downWindow = behavior.scaleDown?.stabilizationWindowSeconds ?? DOWN_WINDOW;
  // A recommendation as old as the window no longer counts.
  const since = (seconds: number) => history.recommendedSince(nowMs - seconds * 1000 + 1);
  const least = Math.min(desired, ...since(upWindow));
  const most = Math.max(desired, ...since(downWindow));
  return Math.min(Math.max(current, least), most);
}

function plainlyLimited({ current, least, most }: Wish, desired: number): [replicas: number, why: Why] {
  const fastest = Math.max(2 * current, 4);
  if (desired < least) return [least, TOO_FEW];
  if (desired > Math.min(most, fastest)) return most > fastest ? [fastest, TOO_FAST_UP] : [most, TOO_MANY];
  return [desired, WITHIN];
}

function limitedByRules(
  wish: Wish,
  desired: number,
  { scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior,
): [replicas: number, why: Why] {
  const { current, least, most } = wish;
  if (desired > current) {
    const fastest = Math.max(current, upLimit(wish, scaleUp));
    if (desired > Math.min(most, fastest)) return most > fastest ? [fastest, TOO_FAST_UP] : [most, TOO_MANY];
  } else if (desired < current) {
    const fastest = Math.min(current, downLimit(wish, scaleDown));
    if (desired < Math.max(least, fastest)) return least < fastest ? [fastest, TOO_FAST_DOWN] : [least, TOO_FEW];
  }
  return [desired, WITHIN];
}

function upLimit(wish: Wish, rules: HPAScalingRules = {}): number {
  const proposed = proposals(wish, rules, (before, { type, value = 0 }) =>
    type === 'Pods' ? before + value : Math.ceil(before * (1 + value / 100)),
  );
  if (proposed === undefined) return wish.current;
  return rules.selectPolicy === 'Min' ? Math.min(...proposed) : Math.max(...proposed);
}

function downLimit(wish: Wish, rules: HPAScalingRules = {}): number {
  const proposed = proposals(wish, rules, (before, { type, value = 0 }) =>
    type === 'Pods' ? before - value : Math.trunc(before * (1 - value / 100)),
  );
  if (proposed === undefined) return wish.current;
  return rules.selectPolicy === 'Min' ? Math.max(...proposed) : Math.min(...proposed);
}

/** What each policy allows; undefined if nothing is. */
function proposals(
  { current, history, nowMs }: Wish,
  { selectPolicy, policies }: HPAScalingRules,
  allowed: (before: number, policy: HPAScalingPolicy) => number,
): number[] | undefined {
  if (selectPolicy === 'Disabled') return undefined;
  return (policies ?? []).map((policy) => {
    const before = history.replicasBefore(current, (policy.periodSeconds ?? 0) * 1000, nowMs);
    return allowed(before, policy);
  });
}
