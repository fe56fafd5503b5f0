// Types of lifecycle.k8s.io/v1alpha1.

import { embedded, int32, int64, list, pointer, string, struct, time } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition } from '../meta/v1.ts';

export const Eviction = object(
  'lifecycle/v1alpha1.Eviction',
  'lifecycle.k8s.io/v1alpha1',
  () => ({
    spec: embedded(2, EvictionSpec).required(),
    status: embedded(3, EvictionStatus),
  }),
  { since: 37 },
);

export const EvictionStatus = struct('lifecycle/v1alpha1.EvictionStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
  observedGeneration: int64(2).pointer(),
  requesters: list(3, Requester).keyed('name').mergedBy('name'),
  targetResponders: list(4, TargetResponder).keyed('name').mergedBy('name'),
  responders: list(5, ResponderStatus).keyed('name').mergedBy('name'),
}));

export const ResponderStatus = struct(
  'lifecycle/v1alpha1.ResponderStatus',
  () => ({
    name: string(1).required(),
    startTime: time(2).pointer(),
    heartbeatTime: time(3).pointer(),
    expectedCompletionTime: time(4).pointer(),
    completionTime: time(5).pointer(),
    message: string(6).pointer(),
  }),
  { mapType: 'granular' },
);

export const TargetResponder = struct(
  'lifecycle/v1alpha1.TargetResponder',
  () => ({
    name: string(1).required(),
    priority: int32(2).pointer().required(),
    state: string(3).required().oneOf('Active', 'Canceled', 'Completed', 'Inactive', 'Interrupted'),
  }),
  { mapType: 'atomic' },
);

export const Requester = struct(
  'lifecycle/v1alpha1.Requester',
  () => ({
    name: string(1).required(),
    intent: string(2).required().oneOf('Eviction', 'Withdrawn'),
  }),
  { mapType: 'atomic' },
);

export const EvictionSpec = struct('lifecycle/v1alpha1.EvictionSpec', () => ({
  target: embedded(1, EvictionTarget).required(),
}));

export const EvictionTarget = struct(
  'lifecycle/v1alpha1.EvictionTarget',
  () => ({
    pod: pointer(1, EvictionPodReference),
  }),
  { unions: [{ 'fields-to-discriminateBy': { pod: 'Pod' } }] },
);

export const EvictionPodReference = struct('lifecycle/v1alpha1.EvictionPodReference', () => ({
  name: string(1).required(),
  uid: string(2).required(),
}));

export const EvictionList = objectList(Eviction);

export const EvictionRequest = object(
  'lifecycle/v1alpha1.EvictionRequest',
  'lifecycle.k8s.io/v1alpha1',
  () => ({
    spec: embedded(2, EvictionRequestSpec).required(),
    status: embedded(3, EvictionRequestStatus),
  }),
  { since: 37 },
);

export const EvictionRequestStatus = struct('lifecycle/v1alpha1.EvictionRequestStatus', () => ({
  conditions: list(1, Condition).keyed('type').mergedBy('type'),
  observedGeneration: int64(2).pointer(),
}));

export const EvictionRequestSpec = struct('lifecycle/v1alpha1.EvictionRequestSpec', () => ({
  target: embedded(1, EvictionRequestTarget).required(),
  requester: string(2).required(),
  intent: string(3).required().oneOf('Eviction', 'Withdrawn'),
}));

export const EvictionRequestTarget = struct(
  'lifecycle/v1alpha1.EvictionRequestTarget',
  () => ({
    pod: pointer(1, EvictionRequestPodReference),
  }),
  { unions: [{ 'fields-to-discriminateBy': { pod: 'Pod' } }] },
);

export const EvictionRequestPodReference = struct('lifecycle/v1alpha1.EvictionRequestPodReference', () => ({
  name: string(1).required(),
  uid: string(2).required(),
}));

export const EvictionRequestList = objectList(EvictionRequest);
