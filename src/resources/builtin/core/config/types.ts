// Types of the core group, v1: ConfigMap, Secret and ServiceAccount.

import { bool, list, map, string } from '../../../../schema/build.ts';
import { object, objectList } from '../../meta/object.ts';
import { LocalObjectReference, ObjectReference } from '../reference.ts';

export const ConfigMap = object('core/v1.ConfigMap', 'v1', () => ({
  immutable: bool(4).pointer(),
  data: map(2, 'string'),
  binaryData: map(3, 'bytes'),
}));

export const ConfigMapList = objectList(ConfigMap);

export const Secret = object('core/v1.Secret', 'v1', () => ({
  immutable: bool(5).pointer(),
  data: map(2, 'bytes'),
  stringData: map(4, 'string'),
  type: string(3),
}));

export const SecretList = objectList(Secret);

export const ServiceAccount = object('core/v1.ServiceAccount', 'v1', () => ({
  secrets: list(2, ObjectReference).keyed('name').mergedBy('name').upTo(29, list(2, ObjectReference).mergedBy('name')),
  imagePullSecrets: list(3, LocalObjectReference).atomic(30),
  automountServiceAccountToken: bool(4).pointer(),
}));

export const ServiceAccountList = objectList(ServiceAccount);
