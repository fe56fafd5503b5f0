// Types of autoscaling/v2beta1.

import { embedded, int32, int64, list, pointer, quantity, string, struct, time } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { LabelSelector } from '../meta/v1.ts';

export const HorizontalPodAutoscaler = object(
  'autoscaling/v2beta1.HorizontalPodAutoscaler',
  'autoscaling/v2beta1',
  () => ({
    spec: embedded(2, HorizontalPodAutoscalerSpec),
    status: embedded(3, HorizontalPodAutoscalerStatus),
  }),
  { until: 35 },
);

export const HorizontalPodAutoscalerSpec = struct('autoscaling/v2beta1.HorizontalPodAutoscalerSpec', () => ({
  scaleTargetRef: embedded(1, CrossVersionObjectReference).required(),
  minReplicas: int32(2).pointer(),
  maxReplicas: int32(3).required(),
  metrics: list(4, MetricSpec).atomic(30),
}));

export const CrossVersionObjectReference = struct('autoscaling/v2beta1.CrossVersionObjectReference', () => ({
  kind: string(1).required(),
  name: string(2).required(),
  apiVersion: string(3),
}));

export const MetricSpec = struct('autoscaling/v2beta1.MetricSpec', () => ({
  type: string(1).required(),
  object: pointer(2, ObjectMetricSource),
  pods: pointer(3, PodsMetricSource),
  resource: pointer(4, ResourceMetricSource),
  containerResource: pointer(7, ContainerResourceMetricSource),
  external: pointer(5, ExternalMetricSource),
}));

export const ObjectMetricSource = struct('autoscaling/v2beta1.ObjectMetricSource', () => ({
  target: embedded(1, CrossVersionObjectReference).required(),
  metricName: string(2).required(),
  targetValue: quantity(3).required(),
  selector: pointer(4, LabelSelector),
  averageValue: quantity(5).pointer(),
}));

export const PodsMetricSource = struct('autoscaling/v2beta1.PodsMetricSource', () => ({
  metricName: string(1).required(),
  targetAverageValue: quantity(2).required(),
  selector: pointer(3, LabelSelector),
}));

export const ResourceMetricSource = struct('autoscaling/v2beta1.ResourceMetricSource', () => ({
  name: string(1).required(),
  targetAverageUtilization: int32(2).pointer(),
  targetAverageValue: quantity(3).pointer(),
}));

export const ContainerResourceMetricSource = struct('autoscaling/v2beta1.ContainerResourceMetricSource', () => ({
  name: string(1).required(),
  targetAverageUtilization: int32(2).pointer(),
  targetAverageValue: quantity(3).pointer(),
  container: string(4).required(),
}));

export const ExternalMetricSource = struct('autoscaling/v2beta1.ExternalMetricSource', () => ({
  metricName: string(1).required(),
  metricSelector: pointer(2, LabelSelector),
  targetValue: quantity(3).pointer(),
  targetAverageValue: quantity(4).pointer(),
}));

export const HorizontalPodAutoscalerStatus = struct('autoscaling/v2beta1.HorizontalPodAutoscalerStatus', () => ({
  observedGeneration: int64(1).pointer(),
  lastScaleTime: time(2).pointer(),
  currentReplicas: int32(3).required(),
  desiredReplicas: int32(4).required(),
  currentMetrics: list(5, MetricStatus).always().atomic(30),
  conditions: list(6, HorizontalPodAutoscalerCondition).always().atomic(30),
}));

export const MetricStatus = struct('autoscaling/v2beta1.MetricStatus', () => ({
  type: string(1).required(),
  object: pointer(2, ObjectMetricStatus),
  pods: pointer(3, PodsMetricStatus),
  resource: pointer(4, ResourceMetricStatus),
  containerResource: pointer(7, ContainerResourceMetricStatus),
  external: pointer(5, ExternalMetricStatus),
}));

export const ObjectMetricStatus = struct('autoscaling/v2beta1.ObjectMetricStatus', () => ({
  target: embedded(1, CrossVersionObjectReference).required(),
  metricName: string(2).required(),
  currentValue: quantity(3).required(),
  selector: pointer(4, LabelSelector),
  averageValue: quantity(5).pointer(),
}));

export const PodsMetricStatus = struct('autoscaling/v2beta1.PodsMetricStatus', () => ({
  metricName: string(1).required(),
  currentAverageValue: quantity(2).required(),
  selector: pointer(3, LabelSelector),
}));

export const ResourceMetricStatus = struct('autoscaling/v2beta1.ResourceMetricStatus', () => ({
  name: string(1).required(),
  currentAverageUtilization: int32(2).pointer(),
  currentAverageValue: quantity(3).required(),
}));

export const ContainerResourceMetricStatus = struct('autoscaling/v2beta1.ContainerResourceMetricStatus', () => ({
  name: string(1).required(),
  currentAverageUtilization: int32(2).pointer(),
  currentAverageValue: quantity(3).required(),
  container: string(4).required(),
}));

export const ExternalMetricStatus = struct('autoscaling/v2beta1.ExternalMetricStatus', () => ({
  metricName: string(1).required(),
  metricSelector: pointer(2, LabelSelector),
  currentValue: quantity(3).required(),
  currentAverageValue: quantity(4).pointer(),
}));

export const HorizontalPodAutoscalerCondition = struct('autoscaling/v2beta1.HorizontalPodAutoscalerCondition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  lastTransitionTime: time(3),
  reason: string(4),
  message: string(5),
}));

export const HorizontalPodAutoscalerList = objectList(HorizontalPodAutoscaler);
