// The objects of autoscaling/v2.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';
import type { LabelSelector } from '../meta/v1-objects.ts';

export type HorizontalPodAutoscaler = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: HorizontalPodAutoscalerSpec;
  readonly status?: HorizontalPodAutoscalerStatus;
};

export type HorizontalPodAutoscalerSpec = {
  readonly scaleTargetRef?: CrossVersionObjectReference;
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  readonly metrics?: readonly MetricSpec[];
  readonly behavior?: HorizontalPodAutoscalerBehavior;
};

export type CrossVersionObjectReference = {
  readonly kind?: string;
  readonly name?: string;
  readonly apiVersion?: string;
};

export type MetricSpec = {
  readonly type?: string;
  readonly object?: ObjectMetricSource;
  readonly pods?: PodsMetricSource;
  readonly resource?: ResourceMetricSource;
  readonly containerResource?: ContainerResourceMetricSource;
  readonly external?: ExternalMetricSource;
};

export type ObjectMetricSource = {
  readonly describedObject?: CrossVersionObjectReference;
  readonly target?: MetricTarget;
  readonly metric?: MetricIdentifier;
};

export type MetricTarget = {
  readonly type?: string;
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
};

export type MetricIdentifier = {
  readonly name?: string;
  readonly selector?: LabelSelector;
};

export type PodsMetricSource = {
  readonly metric?: MetricIdentifier;
  readonly target?: MetricTarget;
};

export type ResourceMetricSource = {
  readonly name?: string;
  readonly target?: MetricTarget;
};

export type ContainerResourceMetricSource = {
  readonly name?: string;
  readonly target?: MetricTarget;
  readonly container?: string;
};

export type ExternalMetricSource = {
  readonly metric?: MetricIdentifier;
  readonly target?: MetricTarget;
};

export type HorizontalPodAutoscalerBehavior = {
  readonly scaleUp?: HPAScalingRules;
  readonly scaleDown?: HPAScalingRules;
};

export type HPAScalingRules = {
  readonly stabilizationWindowSeconds?: number;
  readonly selectPolicy?: string;
  readonly policies?: readonly HPAScalingPolicy[];
  readonly tolerance?: string;
};

export type HPAScalingPolicy = {
  readonly type?: string;
  readonly value?: number;
  readonly periodSeconds?: number;
};

export type HorizontalPodAutoscalerStatus = {
  readonly observedGeneration?: number | bigint;
  readonly lastScaleTime?: string;
  readonly currentReplicas?: number;
  readonly desiredReplicas?: number;
  readonly currentMetrics?: readonly MetricStatus[] | null;
  readonly conditions?: readonly HorizontalPodAutoscalerCondition[];
};

export type MetricStatus = {
  readonly type?: string;
  readonly object?: ObjectMetricStatus;
  readonly pods?: PodsMetricStatus;
  readonly resource?: ResourceMetricStatus;
  readonly containerResource?: ContainerResourceMetricStatus;
  readonly external?: ExternalMetricStatus;
};

export type ObjectMetricStatus = {
  readonly metric?: MetricIdentifier;
  readonly current?: MetricValueStatus;
  readonly describedObject?: CrossVersionObjectReference;
};

export type MetricValueStatus = {
  readonly value?: string;
  readonly averageValue?: string;
  readonly averageUtilization?: number;
};

export type PodsMetricStatus = {
  readonly metric?: MetricIdentifier;
  readonly current?: MetricValueStatus;
};

export type ResourceMetricStatus = {
  readonly name?: string;
  readonly current?: MetricValueStatus;
};

export type ContainerResourceMetricStatus = {
  readonly name?: string;
  readonly current?: MetricValueStatus;
  readonly container?: string;
};

export type ExternalMetricStatus = {
  readonly metric?: MetricIdentifier;
  readonly current?: MetricValueStatus;
};

export type HorizontalPodAutoscalerCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};
