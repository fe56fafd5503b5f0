// The choice between the two ways to read objects, by the codec of a resource.

import type { ResourceDefinition } from '../resources/definition.ts';
import type { ObjectTypes } from './object-types.ts';
import { typedObjects } from './typed-objects.ts';
import { unstructuredObjects } from './unstructured-objects.ts';

/** How the types of a resource's objects are found. */
export function typesOf({ codec }: Pick<ResourceDefinition, 'codec'>): ObjectTypes {
  return codec.form === 'typed' ? typedObjects : unstructuredObjects;
}
