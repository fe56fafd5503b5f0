// Removal of unknown fields from defaults when a CustomResourceDefinition is written. Apart from their rules, which
// need all of validation.

import type { Json, JsonObject } from '../../api/object.ts';
import { DecodeError } from '../decode.ts';
import type { StructNode } from '../node.ts';
import { readEmbedded } from './embedded-objects.ts';
import { SchemaPart } from './schema-part.ts';
import { isSchema } from './schema-source.ts';

/** Takes members that metadata does not have out of the defaults of objects within objects. Changes its argument. */
export function cleanDefaults(schema: Json | undefined, objectMeta: StructNode): void {
  if (Array.isArray(schema)) for (const each of schema) cleanDefaults(each, objectMeta);
  if (!isSchema(schema)) return;
  if (schema['x-kubernetes-embedded-resource'] === true && isSchema(schema['default'])) {
    try {
      readEmbedded(schema['default'], new SchemaPart(schema as JsonObject), objectMeta);
    } catch (error) {
      // Told by validation.
      if (!(error instanceof DecodeError)) throw error;
    }
  }
  for (const keyword of ['properties', 'items', 'additionalProperties']) {
    const below = schema[keyword];
    if (keyword !== 'properties') cleanDefaults(below, objectMeta);
    else if (isSchema(below)) for (const each of Object.values(below)) cleanDefaults(each, objectMeta);
  }
}
