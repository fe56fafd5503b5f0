// Types of apidiscovery.k8s.io/v2.

import { list, pointer, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { GroupVersionKind } from '../meta/v1.ts';

export const APIGroupDiscovery = object('apidiscovery/v2.APIGroupDiscovery', 'apidiscovery.k8s.io/v2', () => ({
  versions: list(2, APIVersionDiscovery).keyed('version'),
}));

export const APIVersionDiscovery = struct('apidiscovery/v2.APIVersionDiscovery', () => ({
  version: string(1).always(),
  resources: list(2, APIResourceDiscovery).keyed('resource'),
  freshness: string(3),
}));

export const APIResourceDiscovery = struct('apidiscovery/v2.APIResourceDiscovery', () => ({
  resource: string(1).always(),
  responseKind: pointer(2, GroupVersionKind),
  scope: string(3).always(),
  singularResource: string(4).always(),
  verbs: list(5, 'string').always().set(),
  shortNames: list(6, 'string').set(),
  categories: list(7, 'string').set(),
  subresources: list(8, APISubresourceDiscovery).keyed('subresource'),
}));

export const APISubresourceDiscovery = struct('apidiscovery/v2.APISubresourceDiscovery', () => ({
  subresource: string(1).always(),
  responseKind: pointer(2, GroupVersionKind),
  acceptedTypes: list(3, GroupVersionKind).keyed('group', 'version', 'kind'),
  verbs: list(4, 'string').always().set(),
}));

export const APIGroupDiscoveryList = objectList(APIGroupDiscovery);
