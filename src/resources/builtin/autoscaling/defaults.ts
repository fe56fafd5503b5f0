// What an autoscaler does when it is not told: one pod at least, four fifths of the CPU that pods request, quickly up
// and slowly down.

import type { JsonObject } from '../../../api/object.ts';
import { fillIn, objectAt, objectIn } from '../../fill-in.ts';
import { listAt } from '../../value.ts';

/** The share of the CPU requested that pods may use where no metric is said. */
export const CPU_SHARE_PERCENT = 80;
const PERIOD_SECONDS = 15;

export function horizontalPodAutoscalerDefaults(autoscaler: JsonObject): void {
  const spec = objectIn(autoscaler, 'spec');
  fillIn(spec, { minReplicas: 1 });
  if (listAt(spec, 'metrics').length === 0) {
    const target = { type: 'Utilization', averageUtilization: CPU_SHARE_PERCENT };
    spec['metrics'] = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  }
  const behavior = objectAt(spec, 'behavior');
  if (behavior === undefined) return;
  const doubled = { type: 'Percent', value: 100, periodSeconds: PERIOD_SECONDS };
  const fourMore = { type: 'Pods', value: 4, periodSeconds: PERIOD_SECONDS };
  fillIn(objectIn(behavior, 'scaleUp'), {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [fourMore, doubled],
  });
  fillIn(objectIn(behavior, 'scaleDown'), { selectPolicy: 'Max', policies: [{ ...doubled }] });
}
