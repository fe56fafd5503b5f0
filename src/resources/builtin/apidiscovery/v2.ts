// Types of apidiscovery.k8s.io/v2.

import { embedded, inline, list, pointer, string, struct } from '../../../schema/build.ts';
import { object } from '../meta/object.ts';
import { GroupVersionKind, ListMeta, TypeMeta } from '../meta/v1.ts';

export const APIGroupDiscovery = object(
  'apidiscovery/v2.APIGroupDiscovery',
  'apidiscovery.k8s.io/v2',
  () => ({
    versions: list(2, APIVersionDiscovery).keyed('version'),
  }),
  { since: 30 },
);

export const APIVersionDiscovery = struct('apidiscovery/v2.APIVersionDiscovery', () => ({
  version: string(1).required().from(37, string(1).always()),
  resources: list(2, APIResourceDiscovery).keyed('resource'),
  freshness: string(3),
}));

export const APIResourceDiscovery = struct('apidiscovery/v2.APIResourceDiscovery', () => ({
  resource: string(1).required().from(37, string(1).always()),
  responseKind: pointer(2, GroupVersionKind),
  scope: string(3).required().from(37, string(3).always()),
  singularResource: string(4).required().from(37, string(4).always()),
  verbs: list(5, 'string').required().set().from(37, list(5, 'string').always().set()),
  shortNames: list(6, 'string').set(),
  categories: list(7, 'string').set(),
  subresources: list(8, APISubresourceDiscovery).keyed('subresource'),
}));

export const APISubresourceDiscovery = struct('apidiscovery/v2.APISubresourceDiscovery', () => ({
  subresource: string(1).required().from(37, string(1).always()),
  responseKind: pointer(2, GroupVersionKind),
  acceptedTypes: list(3, GroupVersionKind).keyed('group', 'version', 'kind'),
  verbs: list(4, 'string').required().set().from(37, list(4, 'string').always().set()),
}));

export const APIGroupDiscoveryList = struct(
  'apidiscovery/v2.APIGroupDiscoveryList',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    metadata: embedded(1, ListMeta),
    items: list(2, APIGroupDiscovery).required().from(37, list(2, APIGroupDiscovery).always()),
  }),
  { kinds: ['apidiscovery.k8s.io/v2/APIGroupDiscoveryList'], since: 30 },
);
