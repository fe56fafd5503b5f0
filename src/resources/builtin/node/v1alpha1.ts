// Types of node.k8s.io/v1alpha1.

import { embedded, list, map, pointer, string, struct } from '../../../schema/build.ts';
import { Toleration } from '../core/pod/scheduling.ts';
import { object, objectList } from '../meta/object.ts';

export const RuntimeClass = object('node/v1alpha1.RuntimeClass', 'node.k8s.io/v1alpha1', () => ({
  spec: embedded(2, RuntimeClassSpec).required(),
}));

export const RuntimeClassSpec = struct('node/v1alpha1.RuntimeClassSpec', () => ({
  runtimeHandler: string(1).required(),
  overhead: pointer(2, Overhead),
  scheduling: pointer(3, Scheduling),
}));

export const Overhead = struct('node/v1alpha1.Overhead', () => ({
  podFixed: map(1, 'quantity'),
}));

export const Scheduling = struct('node/v1alpha1.Scheduling', () => ({
  nodeSelector: map(1, 'string').atomic(),
  tolerations: list(2, Toleration).atomic(),
}));

export const RuntimeClassList = objectList(RuntimeClass);
