// The objects of discovery/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';
import type { ObjectReference } from '../core/reference-objects.ts';

export type EndpointSlice = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly addressType?: string;
  readonly endpoints?: readonly Endpoint[] | null;
  readonly ports?: readonly EndpointPort[] | null;
};

export type Endpoint = {
  readonly addresses?: readonly string[] | null;
  readonly conditions?: EndpointConditions;
  readonly hostname?: string;
  readonly targetRef?: ObjectReference;
  readonly deprecatedTopology?: Readonly<Record<string, string>>;
  readonly nodeName?: string;
  readonly zone?: string;
  readonly hints?: EndpointHints;
};

export type EndpointConditions = {
  readonly ready?: boolean;
  readonly serving?: boolean;
  readonly terminating?: boolean;
};

export type EndpointHints = {
  readonly forZones?: readonly ForZone[];
  readonly forNodes?: readonly ForNode[];
};

export type ForZone = {
  readonly name?: string;
};

export type ForNode = {
  readonly name?: string;
};

export type EndpointPort = {
  readonly name?: string;
  readonly protocol?: string;
  readonly port?: number;
  readonly appProtocol?: string;
};
