// The verb deletecollection: everything a list selects is deleted, and the list answered.

import { promisify } from 'node:util';
import { ApiError } from '../api/errors.ts';
import type { WriteContext } from './create.ts';
import { deleteObject, warnOfDefault } from './delete.ts';
import type { DeleteOptions } from './delete-options.ts';
import { listObjects } from './list.ts';
import type { ListAnswer, ResourceRequest, StoredObject } from './resource-request.ts';
import { decodeStored } from './stored-form.ts';

/** Deletions under way at once; they share commits. */
const AT_ONCE = 64;

/** Lets other requests have their turn in between: a collection may be large, and a store may answer at once. */
const turn = promisify(setImmediate);

/** @throws ApiError as a list or a deletion does; objects that are gone already are no error */
export async function deleteCollection(
  context: WriteContext,
  request: ResourceRequest,
  options: DeleteOptions,
): Promise<ListAnswer> {
  warnOfDefault(request, options);
  const list = await listObjects(context.registry, request);
  const objects = [...list.objects];
  for (let start = 0; start < objects.length; start += AT_ONCE) {
    if (start > 0) await turn();
    await Promise.all(
      objects.slice(start, start + AT_ONCE).map((object) => deleteOne(context, request, { object, options })),
    );
  }
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
    await deleteObject(context, { ...request, name, namespace, warnings: [], empties: [] }, options);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 404) throw error;
  }
}
