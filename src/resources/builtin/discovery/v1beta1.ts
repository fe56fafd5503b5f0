// Types of discovery.k8s.io/v1beta1.

import { bool, embedded, int32, list, map, pointer, string, struct } from '../../../schema/build.ts';
import { ObjectReference } from '../core/reference.ts';
import { object, objectList } from '../meta/object.ts';

export const EndpointSlice = object('discovery/v1beta1.EndpointSlice', 'discovery.k8s.io/v1beta1', () => ({
  addressType: string(4)
    .required()
    .from(36, string(4).required().oneOf('FQDN', 'IPv4', 'IPv6')),
  endpoints: list(2, Endpoint).required().atomic(),
  ports: list(3, EndpointPort).always().atomic(),
}));

export const Endpoint = struct('discovery/v1beta1.Endpoint', () => ({
  addresses: list(1, 'string').required().set(),
  conditions: embedded(2, EndpointConditions),
  hostname: string(3).pointer(),
  targetRef: pointer(4, ObjectReference),
  topology: map(5, 'string'),
  nodeName: string(6).pointer(),
  hints: pointer(7, EndpointHints).behind('TopologyAwareHints'),
}));

export const EndpointConditions = struct('discovery/v1beta1.EndpointConditions', () => ({
  ready: bool(1).pointer(),
  serving: bool(2).pointer(),
  terminating: bool(3).pointer(),
}));

export const EndpointHints = struct('discovery/v1beta1.EndpointHints', () => ({
  forZones: list(1, ForZone).atomic(),
  forNodes: list(2, ForNode).atomic().behind('PreferSameTrafficDistribution').since(33),
}));

export const ForZone = struct('discovery/v1beta1.ForZone', () => ({
  name: string(1).required(),
}));

export const ForNode = struct('discovery/v1beta1.ForNode', () => ({
  name: string(1).required(),
}));

export const EndpointPort = struct('discovery/v1beta1.EndpointPort', () => ({
  name: string(1).pointer(),
  protocol: string(2).pointer().oneOf('SCTP', 'TCP', 'UDP'),
  port: int32(3).pointer(),
  appProtocol: string(4).pointer(),
}));

export const EndpointSliceList = objectList(EndpointSlice);
