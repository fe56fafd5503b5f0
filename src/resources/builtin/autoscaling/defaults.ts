// Defaults of HorizontalPodAutoscaler: at least one pod, 80 % CPU utilization, fast scale-up and slow scale-down.

import type { Draft } from '../../../api/object.ts';
import { fillIn } from '../../fill-in.ts';
import type { HorizontalPodAutoscaler } from './v2-objects.ts';

/** The target CPU utilization without metrics. */
export const CPU_SHARE_PERCENT = 80;
const PERIOD_SECONDS = 15;

export function horizontalPodAutoscalerDefaults(autoscaler: Draft<HorizontalPodAutoscaler>): void {
  const spec = (autoscaler.spec ??= {});
  fillIn(spec, { minReplicas: 1 });
  if ((spec.metrics ?? []).length === 0) {
    const target = { type: 'Utilization', averageUtilization: CPU_SHARE_PERCENT };
    spec['metrics'] = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  }
  const behavior = spec.behavior;
  if (behavior === undefined) return;
  const doubled = { type: 'Percent', value: 100, periodSeconds: PERIOD_SECONDS };
  const fourMore = { type: 'Pods', value: 4, periodSeconds: PERIOD_SECONDS };
  fillIn((behavior.scaleUp ??= {}), {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [fourMore, doubled],
  });
  fillIn((behavior.scaleDown ??= {}), { selectPolicy: 'Max', policies: [{ ...doubled }] });
}
