// The verb deletecollection: everything a list selects is deleted, and the list answered.

import { ApiError } from '../api/errors.ts';
import { limits } from '../base/limits.ts';
import { deleteObject, warnOfDefault } from './delete.ts';
import type { DeleteOptions } from './delete-options.ts';
import { listObjects } from './list.ts';
import type { ListAnswer, ResourceRequest, StoredObject } from './resource-request.ts';
import { decodeStored } from './stored-form.ts';
import type { WriteContext } from './write.ts';

/** @throws ApiError as a list or a deletion does; objects that are gone already are not an error */
export async function deleteCollection(
  context: WriteContext,
  request: ResourceRequest,
  options: DeleteOptions,
): Promise<ListAnswer> {
  warnOfDefault(request, options);
  const list = await listObjects(context.registry, request);
  const objects = [...list.objects];
  const turn = context.registry.turns.begin({ taskName: `deletecollection ${request.definition.resource}` });
  let next = 0;
  const lane = async () => {
    try {
      while (next < objects.length) {
        await deleteOne(context, request, { object: objects[next++]!, options });
        const wait = turn.over();
        if (wait !== undefined) await wait;
      }
    } catch (error) {
      // The others take up nothing more.
      next = objects.length;
      throw error;
    }
  };
  // Where others write to the store too, requests sent at once arrive in any order, and kube-apiserver sends one at a time.
  const { store } = await context.registry.storage(request.definition);
  const atOnce = store.catchUp === undefined ? limits.deletionsAtOnce : 1;
  const lanes = await Promise.allSettled(Array.from({ length: atOnce }, lane));
  const failed = lanes.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
  return { ...list, objects };
}

async function deleteOne(
  context: WriteContext,
  request: ResourceRequest,
  one: { object: StoredObject; options: DeleteOptions },
): Promise<void> {
  const { name = '', namespace = '' } = decodeStored(one.object).metadata;
  try {
    const options = { ...one.options, ofCollection: true };
    await deleteObject(context, { ...request, name, namespace, warnings: [] }, options);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 404) throw error;
  }
}
