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
    level: string(1).required(),
    auditID: string(2).required(),
    stage: string(3).required(),
    requestURI: string(4).required(),
    verb: string(5).required(),
    user: embedded(6, UserInfo).required(),
    impersonatedUser: pointer(7, UserInfo),
    authenticationMetadata: pointer(17, AuthenticationMetadata).since(35),
    sourceIPs: list(8, 'string').atomic(30),
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

export const AuthenticationMetadata = struct('audit/v1.AuthenticationMetadata', () => ({
  impersonationConstraint: string(1),
}));

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
  rules: list(2, PolicyRule).required().atomic(30),
  omitStages: list(3, 'string').atomic(30),
  omitManagedFields: bool(4),
}));

export const PolicyRule = struct('audit/v1.PolicyRule', () => ({
  level: string(1).required(),
  users: list(2, 'string').atomic(30),
  userGroups: list(3, 'string').atomic(30),
  verbs: list(4, 'string').atomic(30),
  resources: list(5, GroupResources).atomic(30),
  namespaces: list(6, 'string').atomic(30),
  nonResourceURLs: list(7, 'string').atomic(30),
  omitStages: list(8, 'string').atomic(30),
  omitManagedFields: bool(9).pointer(),
}));

export const GroupResources = struct('audit/v1.GroupResources', () => ({
  group: string(1),
  resources: list(2, 'string').atomic(30),
  resourceNames: list(3, 'string').atomic(30),
}));

export const PolicyList = objectList(Policy);
