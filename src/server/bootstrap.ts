// Objects that a new server creates. Existing ones are left unchanged.

import { ApiError } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import type { BootstrapObject } from '../resources/bootstrap.ts';
import { trackMaking } from '../verbs/ownership.ts';
import { type Registry, storageKey } from '../verbs/registry.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { storeNew } from '../verbs/write-object.ts';

/**
 * Creates missing objects, all at once, so that they share commits.
 * @returns those that were there
 */
export async function createBootstrapObjects(
  registry: Registry,
  objects: readonly BootstrapObject[],
): Promise<readonly BootstrapObject[]> {
  const found = await Promise.all(
    objects.map(async (object) => {
      const { definition, namespace } = object;
      const { cache } = await registry.storage(definition);
      const stored = (name: string) => cache.get(storageKey(definition, namespace, name));
      const source = object.heir && stored(object.heir.of);
      return { object, isThere: stored(object.name) !== undefined, source: source && decodeStored(source) };
    }),
  );
  const missing = found.filter(({ isThere }) => !isThere);
  await Promise.all(missing.map(({ object, source }) => create(registry, object, source)));
  return found.flatMap(({ object, isThere }) => (isThere ? [object] : []));
}

/** @param source the object of which the new one takes over what it says; undefined for none */
async function create(
  registry: Registry,
  { definition, make, making, heir }: BootstrapObject,
  source: ApiObject | undefined,
): Promise<void> {
  const object = make();
  if (source !== undefined) heir?.inherit(object, source);
  try {
    trackMaking(registry, definition, { object, ...making });
    await storeNew(registry, { definition }, { object, dryRun: false });
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
  }
}
