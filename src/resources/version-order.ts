// Kubernetes' order of API versions: v2 before v1, both before v1beta2, that before v1alpha1, and other names last,
// alphabetically.

import { compareText } from '../base/compare-text.ts';
import { lookup } from '../base/lookup.ts';

const FORM = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const STAGES: Record<string, number> = lookup({ alpha: 1, beta: 2 });
const STABLE = 3;

/** Compares two versions for sorting: negative if `one` comes first. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [FORM.exec(one), FORM.exec(other)];
  if (left === null || right === null) {
    if (left !== null) return -1;
    if (right !== null) return 1;
    return compareText(one, other);
  }
  const stages = stage(right) - stage(left);
  if (stages !== 0) return stages;
  return Number(right[1]) - Number(left[1]) || Number(right[3] ?? 0) - Number(left[3] ?? 0);
}

function stage(match: RegExpExecArray): number {
  return STAGES[match[2] ?? ''] ?? STABLE;
}
