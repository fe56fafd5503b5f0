// Taints of nodes and the tolerations of pods, by Kubernetes' rules.

import type { Taint, Toleration } from '../resources/builtin/core/pod/scheduling-objects.ts';

/** Whether a taint keeps pods away that do not tolerate it. */
function keepsPodsAway({ effect }: Taint): boolean {
  return effect === 'NoSchedule' || effect === 'NoExecute';
}

export function tolerates(tolerations: readonly Toleration[] | undefined, taint: Taint): boolean {
  return tolerations?.some((each) => toleratesIt(each, taint)) ?? false;
}

/** The first taint that keeps a pod with these tolerations away. */
export function untolerated(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
): Taint | undefined {
  return taints?.find((taint) => keepsPodsAway(taint) && !tolerates(tolerations, taint));
}

function toleratesIt({ key = '', operator = '', value = '', effect = '' }: Toleration, taint: Taint): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (operator === '' || operator === 'Equal') && value === (taint.value ?? '');
}
