// The verb deletecollection: everything a list selects is deleted, and the list answered.

import { ApiError } from '../api/errors.ts';
import { limits } from '../base/limits.ts';
import { deleteObject, warnOfDefault } from './delete.ts';
import type { DeleteOptions } from './delete-options.ts';
import { listObjects } from './list.ts';
import { listOptions } from './list-options.ts';
import type { ListAnswer, ResourceRequest, StoredObject } from './resource-request.ts';
import { decodeStored } from './stored-form.ts';
import type { WriteContext } from './write.ts';

/**
 * Lists in pages, whether or not the request has a limit: a version that it names is exactly the one that is deleted.
 * All pages are listed before anything is deleted: deletions push the state that pages continue out of the history.
 * @throws ApiError as a list or a deletion does; objects that are gone already are not an error
 */
export async function deleteCollection(
  context: WriteContext,
  request: ResourceRequest,
  options: DeleteOptions,
): Promise<ListAnswer> {
  warnOfDefault(request, options);
  const isWhole = listOptions(request).limit === 0;
  const objects: StoredObject[] = [];
  let page: ListAnswer = await listObjects(
    context.registry,
    request,
    isWhole ? { limit: limits.deletionPage } : undefined,
  );
  for (;;) {
    for (const object of page.objects) objects.push(object);
    if (!isWhole || page.continueToken === '') break;
    page = await listObjects(context.registry, request, {
      limit: limits.deletionPage,
      continueToken: page.continueToken,
      resourceVersion: '',
      resourceVersionMatch: '',
    });
  }
  await deleteAll(context, request, { objects, options });
  return { ...page, objects };
}

interface Deletions {
  readonly objects: readonly StoredObject[];
  readonly options: DeleteOptions;
}

async function deleteAll(context: WriteContext, request: ResourceRequest, { objects, options }: Deletions) {
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
  const lanes = await Promise.allSettled(Array.from({ length: await lanesOf(context, request, options) }, lane));
  const failed = lanes.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
}

/**
 * How many objects are deleted at once. kube-apiserver deletes one after the other: so does this where others write to
 * the store too and requests sent at once arrive in any order, and where a precondition spares all behind the first that
 * does not meet it.
 */
async function lanesOf({ registry }: WriteContext, { definition }: ResourceRequest, { preconditions }: DeleteOptions) {
  const { store } = await registry.storage(definition);
  return store.catchUp === undefined && preconditions === undefined ? limits.deletionsAtOnce : 1;
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
