// Types of node.k8s.io/v1beta1.

import { list, map, pointer, string, struct } from '../../../schema/build.ts';
import { Toleration } from '../core/pod/scheduling.ts';
import { object, objectList } from '../meta/object.ts';

export const RuntimeClass = object('node/v1beta1.RuntimeClass', 'node.k8s.io/v1beta1', () => ({
  handler: string(2).required(),
  overhead: pointer(3, Overhead),
  scheduling: pointer(4, Scheduling),
}));

export const Overhead = struct('node/v1beta1.Overhead', () => ({
  podFixed: map(1, 'quantity'),
}));

export const Scheduling = struct('node/v1beta1.Scheduling', () => ({
  nodeSelector: map(1, 'string').atomic(),
  tolerations: list(2, Toleration).atomic(),
}));

export const RuntimeClassList = objectList(RuntimeClass);
