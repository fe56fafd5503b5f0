// Types of the core group, v1: ComponentStatus and other small kinds.

import { bytes, embedded, inline, list, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { ListMeta, TypeMeta } from '../meta/v1.ts';
import { ObjectReference } from './reference.ts';

export const ComponentStatus = object('core/v1.ComponentStatus', 'v1', () => ({
  conditions: list(2, ComponentCondition)
    .keyed('type')
    .mergedBy('type')
    .upTo(29, list(2, ComponentCondition).mergedBy('type')),
}));

export const ComponentCondition = struct('core/v1.ComponentCondition', () => ({
  type: string(1).required(),
  status: string(2).required(),
  message: string(3),
  error: string(4),
}));

export const ComponentStatusList = objectList(ComponentStatus);

export const List = struct(
  'core/v1.List',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    metadata: embedded(1, ListMeta),
    items: list(2, 'raw').required(),
  }),
  { kinds: ['v1/List'] },
);

export const RangeAllocation = object('core/v1.RangeAllocation', 'v1', () => ({
  range: string(2).required(),
  data: bytes(3).required(),
}));

export const SerializedReference = struct(
  'core/v1.SerializedReference',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    reference: embedded(1, ObjectReference),
  }),
  { kinds: ['v1/SerializedReference'] },
);
