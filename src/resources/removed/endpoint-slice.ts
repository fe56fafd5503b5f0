// Conversion of discovery.k8s.io/v1beta1 EndpointSlices, whose endpoints have a map of topology; v1 has fields for zone
// and node, and keeps the rest of the map as deprecatedTopology.

import { isObject } from '../../api/is-object.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import type { Conversion } from '../definition.ts';
import { listAt } from '../value.ts';

const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';

export const endpointSliceV1beta1: Conversion = {
  toStorage: (slice) => withEndpoints(slice, fromTopology),
  fromStorage: (slice) => withEndpoints(slice, toTopology),
};

function withEndpoints(slice: ApiObject, convert: (endpoint: JsonObject) => JsonObject): ApiObject {
  if (!Array.isArray(slice['endpoints'])) return slice;
  const endpoints = listAt(slice, 'endpoints').map((endpoint) => (isObject(endpoint) ? convert(endpoint) : endpoint));
  return { ...slice, endpoints };
}

/** The zone is removed from the map; the host name is removed if it equals the node's name. */
function fromTopology({ topology, ...endpoint }: JsonObject): JsonObject {
  if (!isObject(topology)) return endpoint;
  const { [ZONE]: zone, ...rest } = topology;
  if (rest[HOSTNAME] !== undefined && rest[HOSTNAME] === endpoint['nodeName']) delete rest[HOSTNAME];
  return {
    ...endpoint,
    ...(Object.keys(rest).length > 0 ? { deprecatedTopology: rest } : {}),
    ...(zone === undefined ? {} : { zone }),
  };
}

function toTopology({ deprecatedTopology, zone, ...endpoint }: JsonObject): JsonObject {
  const topology: JsonObject = isObject(deprecatedTopology) ? { ...deprecatedTopology } : {};
  if (zone !== undefined && zone !== null) topology[ZONE] = zone;
  const node = endpoint['nodeName'];
  if (node !== undefined && node !== null && (topology[HOSTNAME] ?? '') === '') topology[HOSTNAME] = node;
  return Object.keys(topology).length === 0 ? endpoint : { ...endpoint, topology };
}
