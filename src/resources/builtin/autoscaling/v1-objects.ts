// The objects of autoscaling/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';

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
  readonly targetCPUUtilizationPercentage?: number;
};

export type CrossVersionObjectReference = {
  readonly kind?: string;
  readonly name?: string;
  readonly apiVersion?: string;
};

export type HorizontalPodAutoscalerStatus = {
  readonly observedGeneration?: number | bigint;
  readonly lastScaleTime?: string;
  readonly currentReplicas?: number;
  readonly desiredReplicas?: number;
  readonly currentCPUUtilizationPercentage?: number;
};

export type Scale = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ScaleSpec;
  readonly status?: ScaleStatus;
};

export type ScaleSpec = {
  readonly replicas?: number;
};

export type ScaleStatus = {
  readonly replicas?: number;
  readonly selector?: string;
};
