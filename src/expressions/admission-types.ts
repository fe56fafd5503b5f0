// CEL types of variables in admission other than objects: the request and its namespace. The names are Kubernetes'.

import { BOOL, DYN, INT, listOf, mapOf, STRING, structType, TIMESTAMP } from '../cel/types/type.ts';
import { StructTypes } from './struct-types.ts';

const STRINGS = listOf(STRING);
const LABELS = mapOf(STRING, STRING);
const GROUP_VERSION_KIND = structType('kubernetes.GroupVersionKind');
const GROUP_VERSION_RESOURCE = structType('kubernetes.GroupVersionResource');

export const ADMISSION_REQUEST = structType('kubernetes.AdmissionRequest');
export const NAMESPACE_OBJECT = structType('kubernetes.Namespace');

export const ADMISSION_TYPES = new StructTypes({
  'kubernetes.GroupVersionKind': { group: STRING, version: STRING, kind: STRING },
  'kubernetes.GroupVersionResource': { group: STRING, version: STRING, resource: STRING },
  'kubernetes.UserInfo': { username: STRING, uid: STRING, groups: STRINGS, extra: mapOf(STRING, STRINGS) },
  'kubernetes.AdmissionRequest': {
    kind: GROUP_VERSION_KIND,
    resource: GROUP_VERSION_RESOURCE,
    subResource: STRING,
    requestKind: GROUP_VERSION_KIND,
    requestResource: GROUP_VERSION_RESOURCE,
    requestSubResource: STRING,
    name: STRING,
    namespace: STRING,
    operation: STRING,
    userInfo: structType('kubernetes.UserInfo'),
    dryRun: BOOL,
    options: DYN,
  },
  'kubernetes.NamespaceSpec': { finalizers: STRINGS },
  'kubernetes.NamespaceCondition': {
    status: STRING,
    type: STRING,
    lastTransitionTime: TIMESTAMP,
    message: STRING,
    reason: STRING,
  },
  'kubernetes.NamespaceStatus': { conditions: listOf(structType('kubernetes.NamespaceCondition')), phase: STRING },
  'kubernetes.NamespaceMetadata': {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: LABELS,
    annotations: LABELS,
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: STRINGS,
  },
  'kubernetes.Namespace': {
    metadata: structType('kubernetes.NamespaceMetadata'),
    spec: structType('kubernetes.NamespaceSpec'),
    status: structType('kubernetes.NamespaceStatus'),
  },
});
