// HorizontalPodAutoscalers, in two versions of one stored object.

import { autoscalerV1 } from '../../conversion/autoscaling.ts';
import type { ResourceDefinition } from '../../definition.ts';
import { group, own } from '../../resource.ts';
import { horizontalPodAutoscalerDefaults } from './defaults.ts';
import { horizontalPodAutoscalerTable } from './tables.ts';
import type { HorizontalPodAutoscaler } from './v2-objects.ts';
import { autoscalerRules } from './validation.ts';

const autoscaling = group('autoscaling', 'v2', 'v1');

export const autoscalingResources: readonly ResourceDefinition[] = [
  autoscaling<HorizontalPodAutoscaler>({
    resource: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    shortNames: ['hpa'],
    categories: ['all'],
    subresources: { status: own },
    conversions: { v1: autoscalerV1 },
    strategy: { ...autoscalerRules, defaults: horizontalPodAutoscalerDefaults, generation: { gate: 'HPAGeneration' } },
    table: horizontalPodAutoscalerTable,
  }),
];
