// Types of autoscaling/v1.

import { embedded, int32, int64, string, struct, time } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';

export const HorizontalPodAutoscaler = object('autoscaling/v1.HorizontalPodAutoscaler', 'autoscaling/v1', () => ({
  spec: embedded(2, HorizontalPodAutoscalerSpec).from(
    36,
    embedded(2, HorizontalPodAutoscalerSpec).required().omitEmpty(),
  ),
  status: embedded(3, HorizontalPodAutoscalerStatus),
}));

export const HorizontalPodAutoscalerSpec = struct('autoscaling/v1.HorizontalPodAutoscalerSpec', () => ({
  scaleTargetRef: embedded(1, CrossVersionObjectReference).required(),
  minReplicas: int32(2).pointer(),
  maxReplicas: int32(3).required(),
  targetCPUUtilizationPercentage: int32(4).pointer(),
}));

export const CrossVersionObjectReference = struct(
  'autoscaling/v1.CrossVersionObjectReference',
  () => ({
    kind: string(1).required(),
    name: string(2).required(),
    apiVersion: string(3),
  }),
  { mapType: 'atomic' },
);

export const HorizontalPodAutoscalerStatus = struct('autoscaling/v1.HorizontalPodAutoscalerStatus', () => ({
  observedGeneration: int64(1).pointer(),
  lastScaleTime: time(2).pointer(),
  currentReplicas: int32(3).required(),
  desiredReplicas: int32(4).required(),
  currentCPUUtilizationPercentage: int32(5).pointer(),
}));

export const HorizontalPodAutoscalerList = objectList(HorizontalPodAutoscaler);

export const Scale = object('autoscaling/v1.Scale', 'autoscaling/v1', () => ({
  spec: embedded(2, ScaleSpec),
  status: embedded(3, ScaleStatus),
}));

export const ScaleSpec = struct('autoscaling/v1.ScaleSpec', () => ({
  replicas: int32(1).default(0).declarative('minimum=0').upTo(33, int32(1)),
}));

export const ScaleStatus = struct('autoscaling/v1.ScaleStatus', () => ({
  replicas: int32(1).required(),
  selector: string(2),
}));
