// Bodies of a different kind than the path's resource: Scale, Binding, Eviction. They are decoded like all bodies, as
// if the path were of their kind.

import { builtinType } from '../resources/builtin/types.ts';
import { typedCodec } from '../resources/codec.ts';
import type { ResourceDefinition, ServedVersion } from '../resources/definition.ts';
import type { ResourceRequest } from './resource-request.ts';

interface BodyKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The same request with its body decoded as the given built-in kind in the release that is served, without defaults. */
export function requestOfKind(
  request: ResourceRequest,
  { group, version, kind }: BodyKind,
  schema = builtinType(group, version, kind, request.definition.minor),
): ResourceRequest {
  const served: ServedVersion = { version, schema, conversion: undefined, enabledByDefault: true };
  const definition: ResourceDefinition = {
    ...request.definition,
    custom: false,
    codec: typedCodec,
    storedForm: undefined,
    group,
    kind,
    storage: { group, version, kind, schema },
    strategy: { ...request.definition.strategy, defaults: undefined },
    versions: [served],
  };
  return { ...request, definition, version: served };
}
