// Objects that a new server creates. Existing ones are left unchanged.

import { ApiError } from '../api/errors.ts';
import type { BootstrapObject } from '../resources/bootstrap.ts';
import { trackMaking } from '../verbs/ownership.ts';
import { type Registry, storageKey } from '../verbs/registry.ts';
import { storeNew } from '../verbs/write-object.ts';

/** Creates missing objects, all at once, so that they share commits. */
export async function createBootstrapObjects(registry: Registry, objects: readonly BootstrapObject[]): Promise<void> {
  await Promise.all(
    objects.map(async ({ definition, name, namespace, make, making }) => {
      const { cache } = await registry.storage(definition);
      if (cache.get(storageKey(definition, namespace, name)) !== undefined) return;
      try {
        const object = make();
        trackMaking(registry, definition, { object, ...making });
        await storeNew(registry, { definition }, { object, dryRun: false });
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
      }
    }),
  );
}
