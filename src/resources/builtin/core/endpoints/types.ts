// Types of the core group, v1: Endpoints.

import { int32, list, pointer, string, struct } from '../../../../schema/build.ts';
import { object, objectList } from '../../meta/object.ts';
import { ObjectReference } from '../reference.ts';

export const Endpoints = object('core/v1.Endpoints', 'v1', () => ({
  subsets: list(2, EndpointSubset).atomic(30),
}));

export const EndpointSubset = struct('core/v1.EndpointSubset', () => ({
  addresses: list(1, EndpointAddress).atomic(30),
  notReadyAddresses: list(2, EndpointAddress).atomic(30),
  ports: list(3, EndpointPort).atomic(30),
}));

export const EndpointAddress = struct(
  'core/v1.EndpointAddress',
  () => ({
    ip: string(1).required(),
    hostname: string(3),
    nodeName: string(4).pointer(),
    targetRef: pointer(2, ObjectReference),
  }),
  { mapType: 'atomic' },
);

export const EndpointPort = struct(
  'core/v1.EndpointPort',
  () => ({
    name: string(1),
    port: int32(2).required(),
    protocol: string(3).oneOf('SCTP', 'TCP', 'UDP'),
    appProtocol: string(4).pointer(),
  }),
  { mapType: 'atomic' },
);

export const EndpointsList = objectList(Endpoints);
