// The verb deletecollection: deletes everything that a list selects, and returns the list.

import { ApiError } from '../api/errors.ts';
import { limits } from '../base/limits.ts';
import { isLater } from '../base/soon.ts';
import { carriedOut } from '../base/steps.ts';
import { prepareStored } from './converted-storage.ts';
import { deleteObject, Spared, warnOfDefault } from './delete.ts';
import type { CollectionTurn, DeleteOptions } from './delete-options.ts';
import { listObjects } from './list.ts';
import { listOptions } from './list-options.ts';
import type { ListAnswer, ResourceRequest, StoredObject } from './resource-request.ts';
import type { WriteContext } from './write.ts';

/**
 * Lists in pages, whether or not the request has a limit; a resource version in the request is read exactly. All pages
 * are listed before anything is deleted, because deletions push the version that pages continue from out of the
 * history.
 * @throws ApiError like a list in pages or a delete; objects that are already gone are not an error
 */
export async function deleteCollection(
  context: WriteContext,
  request: ResourceRequest,
  options: DeleteOptions,
): Promise<ListAnswer> {
  warnOfDefault(request, options);
  const isWhole = listOptions(request).limit === 0;
  // For a list, a negative limit means none; it is not replaced by the size of a page.
  const inPages = (request.query.integer('limit') ?? 0) === 0;
  const objects: StoredObject[] = [];
  let page: ListAnswer = await listObjects(
    context.registry,
    request,
    inPages ? { limit: limits.deletionPage } : undefined,
  );
  const turn = context.registry.turns.begin({ taskName: `list for deletecollection ${request.definition.resource}` });
  for (;;) {
    await prepareStored(request.definition, page.objects);
    for (const object of page.objects) {
      objects.push(object);
      await turn.over();
    }
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
  // Each deletion collects its own warnings, so that the response has them in the order of the objects.
  const warnings: string[][] = [];
  const turns = new Turns();
  let next = 0;
  const lane = async () => {
    try {
      while (next < objects.length) {
        const own = { ...request, warnings: (warnings[next] = []) };
        const object = objects[next++]!;
        await turns.take((inCollection) => deleteOne(context, own, { object, options: { ...options, inCollection } }));
        await turn.over();
      }
    } catch (error) {
      // The remaining ones are not started.
      next = objects.length;
      throw error;
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: await lanesOf(context, request, options) }, lane));
  for (const told of warnings) request.warnings.push(...told);
  const failed = lanes.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
}

/**
 * How many objects are deleted at once. kube-apiserver deletes one after another. So does this server if other servers
 * write to the store, which may then carry out concurrent requests in any order, and if a precondition, a webhook or a
 * policy may reject an object: the objects after it must then remain.
 */
async function lanesOf({ registry, admission }: WriteContext, { definition }: ResourceRequest, options: DeleteOptions) {
  const { store } = await registry.storage(definition);
  if (store.catchUp !== undefined || options.preconditions !== undefined) return 1;
  return (await admission.hasWebhooksOrPolicies?.()) === true ? 1 : limits.deletionsAtOnce;
}

async function deleteOne(
  context: WriteContext,
  request: ResourceRequest,
  one: { object: StoredObject; options: DeleteOptions },
): Promise<void> {
  const { registry } = context;
  const isLong = one.object.bytes.length >= limits.wholeJsonCharacters;
  const turn = isLong ? registry.turns.begin({ taskName: 'deleting a long object' }) : undefined;
  const reading = carriedOut(registry.decoded.reading(request.definition, one.object), turn);
  const { name = '', namespace = '' } = (isLater(reading) ? await reading : reading).metadata;
  try {
    await deleteObject(context, { ...request, name, namespace }, one.options);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 404) throw error;
  }
}

/**
 * Admits objects one at a time, in order, and none after one that failed. Only the writes to the store, which follow
 * admission, are concurrent.
 */
class Turns {
  #last: Promise<boolean> = Promise.resolve(true);

  /** @throws whatever the deletion does, except where another one failed before its turn came */
  async take(deletion: (turn: CollectionTurn) => Promise<void>): Promise<void> {
    const isNext = this.#last;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#last = promise;
    try {
      await deletion({ isNext, pass: () => resolve(true) });
      resolve(isNext);
    } catch (error) {
      resolve(false);
      if (!(error instanceof Spared)) throw error;
    }
  }
}
