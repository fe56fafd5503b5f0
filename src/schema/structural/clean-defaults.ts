// Pruning of defaults when a CustomResourceDefinition is written. Separate from their validation, which needs all of
// validation.

import { isObject } from '../../api/is-object.ts';
import type { Json, JsonObject } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { DecodeError } from '../decode.ts';
import type { StructNode } from '../node.ts';
import { readEmbedded } from './embedded-objects.ts';
import { SchemaPart } from './schema-part.ts';

/** Removes unknown metadata fields from defaults of embedded objects. Modifies its argument. */
export function cleanDefaults(schema: Json | undefined, objectMeta: StructNode): void {
  if (Array.isArray(schema)) for (const each of schema) cleanDefaults(each, objectMeta);
  if (!isObject(schema)) return;
  if (schema['x-kubernetes-embedded-resource'] === true && isObject(schema['default'])) {
    try {
      readEmbedded(schema['default'], new SchemaPart(schema as JsonObject), { objectMeta });
    } catch (error) {
      // Reported by validation.
      if (!(error instanceof DecodeError)) throw error;
    }
  }
  for (const keyword of ['properties', 'items', 'additionalProperties']) {
    const below = ownMember(schema, keyword);
    if (keyword !== 'properties') cleanDefaults(below, objectMeta);
    // Object.values takes several times as long for many members.
    else if (isObject(below)) for (const name of Object.keys(below)) cleanDefaults(below[name], objectMeta);
  }
}
