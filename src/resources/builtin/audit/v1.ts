// Types of audit.k8s.io/v1.

import { bool, embedded, inline, list, map, microTime, pointer, string, struct } from '../../../schema/build.ts';
import { UserInfo } from '../authentication/v1.ts';
import { object, objectList } from '../meta/object.ts';
import { Unknown } from '../meta/runtime.ts';
import { Status, TypeMeta } from '../meta/v1.ts';

export const Event = struct(
  'audit/v1.Event',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    level: string(1).always(),
    auditID: string(2).always(),
    stage: string(3).always(),
    requestURI: string(4).always(),
    verb: string(5).always(),
    user: embedded(6, UserInfo).always(),
    impersonatedUser: pointer(7, UserInfo),
    sourceIPs: list(8, 'string').atomic(),
    userAgent: string(16),
    objectRef: pointer(9, ObjectReference),
    responseStatus: pointer(10, Status),
    requestObject: pointer(11, Unknown),
    responseObject: pointer(12, Unknown),
    requestReceivedTimestamp: microTime(13).always(),
    stageTimestamp: microTime(14).always(),
    annotations: map(15, 'string'),
  }),
  { kinds: ['audit.k8s.io/v1/Event'] },
);

export const ObjectReference = struct('audit/v1.ObjectReference', () => ({
  resource: string(1),
  namespace: string(2),
  name: string(3),
  uid: string(4),
  apiGroup: string(5),
  apiVersion: string(6),
  resourceVersion: string(7),
  subresource: string(8),
}));

export const EventList = objectList(Event);

export const Policy = object('audit/v1.Policy', 'audit.k8s.io/v1', () => ({
  rules: list(2, PolicyRule).always().atomic(),
  omitStages: list(3, 'string').atomic(),
  omitManagedFields: bool(4),
}));

export const PolicyRule = struct('audit/v1.PolicyRule', () => ({
  level: string(1).always(),
  users: list(2, 'string').atomic(),
  userGroups: list(3, 'string').atomic(),
  verbs: list(4, 'string').atomic(),
  resources: list(5, GroupResources).atomic(),
  namespaces: list(6, 'string').atomic(),
  nonResourceURLs: list(7, 'string').atomic(),
  omitStages: list(8, 'string').atomic(),
  omitManagedFields: bool(9).pointer(),
}));

export const GroupResources = struct('audit/v1.GroupResources', () => ({
  group: string(1),
  resources: list(2, 'string').atomic(),
  resourceNames: list(3, 'string').atomic(),
}));

export const PolicyList = objectList(Policy);
