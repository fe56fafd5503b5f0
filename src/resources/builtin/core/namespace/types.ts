// Types of the core group, v1: Namespace.

import { embedded, list, string, struct, time } from '../../../../schema/build.ts';
import { object, objectList } from '../../meta/object.ts';

export const Namespace = object('core/v1.Namespace', 'v1', () => ({
  spec: embedded(2, NamespaceSpec),
  status: embedded(3, NamespaceStatus),
}));

export const NamespaceSpec = struct('core/v1.NamespaceSpec', () => ({
  finalizers: list(1, 'string').atomic(30),
}));

export const NamespaceStatus = struct('core/v1.NamespaceStatus', () => ({
  phase: string(1).oneOf('Active', 'Terminating'),
  conditions: list(2, NamespaceCondition)
    .keyed('type')
    .mergedBy('type')
    .upTo(29, list(2, NamespaceCondition).mergedBy('type')),
}));

export const NamespaceCondition = struct('core/v1.NamespaceCondition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  lastTransitionTime: time(4).upTo(31, time(4).bare()),
  reason: string(5),
  message: string(6),
}));

export const NamespaceList = objectList(Namespace);
