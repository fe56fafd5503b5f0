// Bodies of another kind than the path's resource: a Scale, a Binding, an Eviction. They are read by the rules of all
// bodies, as if the path were of their kind.

import { builtinType } from '../resources/builtin/types.ts';
import type { ResourceDefinition, ServedVersion } from '../resources/definition.ts';
import type { ResourceRequest } from './resource-request.ts';

interface BodyKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The same request, its body read as the given kind, of a built-in type, without defaults. */
export function requestOfKind(
  request: ResourceRequest,
  { group, version, kind }: BodyKind,
  schema = builtinType(group, version, kind),
): ResourceRequest {
  const served: ServedVersion = { version, schema, conversion: undefined, enabledByDefault: true };
  const definition: ResourceDefinition = {
    ...request.definition,
    custom: false,
    storedForm: undefined,
    group,
    kind,
    storage: { group, version, kind, schema },
    strategy: { ...request.definition.strategy, defaults: undefined },
    versions: [served],
  };
  return { ...request, definition, version: served };
}
