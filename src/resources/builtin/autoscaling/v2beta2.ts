// Types of autoscaling/v2beta2.

import { embedded, int32, int64, list, pointer, quantity, string, struct, time } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { LabelSelector } from '../meta/v1.ts';

export const HorizontalPodAutoscaler = object(
  'autoscaling/v2beta2.HorizontalPodAutoscaler',
  'autoscaling/v2beta2',
  () => ({
    spec: embedded(2, HorizontalPodAutoscalerSpec),
    status: embedded(3, HorizontalPodAutoscalerStatus),
  }),
  { until: 35 },
);

export const HorizontalPodAutoscalerSpec = struct('autoscaling/v2beta2.HorizontalPodAutoscalerSpec', () => ({
  scaleTargetRef: embedded(1, CrossVersionObjectReference).required(),
  minReplicas: int32(2).pointer(),
  maxReplicas: int32(3).required(),
  metrics: list(4, MetricSpec).atomic(30),
  behavior: pointer(5, HorizontalPodAutoscalerBehavior),
}));

export const CrossVersionObjectReference = struct('autoscaling/v2beta2.CrossVersionObjectReference', () => ({
  kind: string(1).required(),
  name: string(2).required(),
  apiVersion: string(3),
}));

export const MetricSpec = struct('autoscaling/v2beta2.MetricSpec', () => ({
  type: string(1).required(),
  object: pointer(2, ObjectMetricSource),
  pods: pointer(3, PodsMetricSource),
  resource: pointer(4, ResourceMetricSource),
  containerResource: pointer(7, ContainerResourceMetricSource),
  external: pointer(5, ExternalMetricSource),
}));

export const ObjectMetricSource = struct('autoscaling/v2beta2.ObjectMetricSource', () => ({
  describedObject: embedded(1, CrossVersionObjectReference).required(),
  target: embedded(2, MetricTarget).required(),
  metric: embedded(3, MetricIdentifier).required(),
}));

export const MetricTarget = struct('autoscaling/v2beta2.MetricTarget', () => ({
  type: string(1).required(),
  value: quantity(2).pointer(),
  averageValue: quantity(3).pointer(),
  averageUtilization: int32(4).pointer(),
}));

export const MetricIdentifier = struct('autoscaling/v2beta2.MetricIdentifier', () => ({
  name: string(1).required(),
  selector: pointer(2, LabelSelector),
}));

export const PodsMetricSource = struct('autoscaling/v2beta2.PodsMetricSource', () => ({
  metric: embedded(1, MetricIdentifier).required(),
  target: embedded(2, MetricTarget).required(),
}));

export const ResourceMetricSource = struct('autoscaling/v2beta2.ResourceMetricSource', () => ({
  name: string(1).required(),
  target: embedded(2, MetricTarget).required(),
}));

export const ContainerResourceMetricSource = struct('autoscaling/v2beta2.ContainerResourceMetricSource', () => ({
  name: string(1).required(),
  target: embedded(2, MetricTarget).required(),
  container: string(3).required(),
}));

export const ExternalMetricSource = struct('autoscaling/v2beta2.ExternalMetricSource', () => ({
  metric: embedded(1, MetricIdentifier).required(),
  target: embedded(2, MetricTarget).required(),
}));

export const HorizontalPodAutoscalerBehavior = struct('autoscaling/v2beta2.HorizontalPodAutoscalerBehavior', () => ({
  scaleUp: pointer(1, HPAScalingRules),
  scaleDown: pointer(2, HPAScalingRules),
}));

export const HPAScalingRules = struct('autoscaling/v2beta2.HPAScalingRules', () => ({
  stabilizationWindowSeconds: int32(3).pointer(),
  selectPolicy: string(1).pointer(),
  policies: list(2, HPAScalingPolicy).atomic(30),
}));

export const HPAScalingPolicy = struct('autoscaling/v2beta2.HPAScalingPolicy', () => ({
  type: string(1).required(),
  value: int32(2).required(),
  periodSeconds: int32(3).required(),
}));

export const HorizontalPodAutoscalerStatus = struct('autoscaling/v2beta2.HorizontalPodAutoscalerStatus', () => ({
  observedGeneration: int64(1).pointer(),
  lastScaleTime: time(2).pointer(),
  currentReplicas: int32(3).required(),
  desiredReplicas: int32(4).required(),
  currentMetrics: list(5, MetricStatus).always().atomic(30),
  conditions: list(6, HorizontalPodAutoscalerCondition).always().atomic(30),
}));

export const MetricStatus = struct('autoscaling/v2beta2.MetricStatus', () => ({
  type: string(1).required(),
  object: pointer(2, ObjectMetricStatus),
  pods: pointer(3, PodsMetricStatus),
  resource: pointer(4, ResourceMetricStatus),
  containerResource: pointer(7, ContainerResourceMetricStatus),
  external: pointer(5, ExternalMetricStatus),
}));

export const ObjectMetricStatus = struct('autoscaling/v2beta2.ObjectMetricStatus', () => ({
  metric: embedded(1, MetricIdentifier).required(),
  current: embedded(2, MetricValueStatus).required(),
  describedObject: embedded(3, CrossVersionObjectReference).required(),
}));

export const MetricValueStatus = struct('autoscaling/v2beta2.MetricValueStatus', () => ({
  value: quantity(1).pointer(),
  averageValue: quantity(2).pointer(),
  averageUtilization: int32(3).pointer(),
}));

export const PodsMetricStatus = struct('autoscaling/v2beta2.PodsMetricStatus', () => ({
  metric: embedded(1, MetricIdentifier).required(),
  current: embedded(2, MetricValueStatus).required(),
}));

export const ResourceMetricStatus = struct('autoscaling/v2beta2.ResourceMetricStatus', () => ({
  name: string(1).required(),
  current: embedded(2, MetricValueStatus).required(),
}));

export const ContainerResourceMetricStatus = struct('autoscaling/v2beta2.ContainerResourceMetricStatus', () => ({
  name: string(1).required(),
  current: embedded(2, MetricValueStatus).required(),
  container: string(3).required(),
}));

export const ExternalMetricStatus = struct('autoscaling/v2beta2.ExternalMetricStatus', () => ({
  metric: embedded(1, MetricIdentifier).required(),
  current: embedded(2, MetricValueStatus).required(),
}));

export const HorizontalPodAutoscalerCondition = struct('autoscaling/v2beta2.HorizontalPodAutoscalerCondition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  lastTransitionTime: time(3),
  reason: string(4),
  message: string(5),
}));

export const HorizontalPodAutoscalerList = objectList(HorizontalPodAutoscaler);
