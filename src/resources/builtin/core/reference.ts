// Types of the core group, v1: references to objects and fields.

import { bool, inline, quantity, string, struct } from '../../../schema/build.ts';

export const ObjectReference = struct(
  'core/v1.ObjectReference',
  () => ({
    kind: string(1),
    namespace: string(2),
    name: string(3),
    uid: string(4),
    apiVersion: string(5),
    resourceVersion: string(6),
    fieldPath: string(7),
  }),
  { mapType: 'atomic' },
);

export const LocalObjectReference = struct(
  'core/v1.LocalObjectReference',
  () => ({
    name: string(1).default('').upTo(29, string(1)),
  }),
  { mapType: 'atomic' },
);

export const TypedLocalObjectReference = struct(
  'core/v1.TypedLocalObjectReference',
  () => ({
    apiGroup: string(1).pointer().always(),
    kind: string(2).required(),
    name: string(3).required(),
  }),
  { mapType: 'atomic' },
);

export const TypedObjectReference = struct('core/v1.TypedObjectReference', () => ({
  apiGroup: string(1).pointer().always(),
  kind: string(2).required(),
  name: string(3).required(),
  namespace: string(4).pointer(),
}));

export const SecretReference = struct(
  'core/v1.SecretReference',
  () => ({
    name: string(1),
    namespace: string(2),
  }),
  { mapType: 'atomic' },
);

export const ConfigMapKeySelector = struct(
  'core/v1.ConfigMapKeySelector',
  () => ({
    LocalObjectReference: inline(1, LocalObjectReference),
    key: string(2).required(),
    optional: bool(3).pointer(),
  }),
  { mapType: 'atomic' },
);

export const SecretKeySelector = struct(
  'core/v1.SecretKeySelector',
  () => ({
    LocalObjectReference: inline(1, LocalObjectReference),
    key: string(2).required(),
    optional: bool(3).pointer(),
  }),
  { mapType: 'atomic' },
);

export const ObjectFieldSelector = struct(
  'core/v1.ObjectFieldSelector',
  () => ({
    apiVersion: string(1),
    fieldPath: string(2).required(),
  }),
  { mapType: 'atomic' },
);

export const ResourceFieldSelector = struct(
  'core/v1.ResourceFieldSelector',
  () => ({
    containerName: string(1),
    resource: string(2).required(),
    divisor: quantity(3),
  }),
  { mapType: 'atomic' },
);

export const FileKeySelector = struct(
  'core/v1.FileKeySelector',
  () => ({
    volumeName: string(1).required(),
    path: string(2).required(),
    key: string(3).required(),
    optional: bool(4).pointer().default(false),
  }),
  { mapType: 'atomic' },
);
