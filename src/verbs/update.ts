// The verb update: an object is replaced by the one in the body, where its version still holds.

import { copyJson } from '../api/json-writer.ts';
import type { ApiObject } from '../api/object.ts';
import { findStored } from './caught-up.ts';
import { createDecoded, type WriteContext } from './create.ts';
import { decodeBody } from './decode-body.ts';
import { checkName, settleNamespace } from './object-metadata.ts';
import { dropRepeatedOwners } from './owner-references.ts';
import { checkVersion, prepareUpdate } from './prepare-update.ts';
import { storageKey } from './registry.ts';
import type { RequestBody, ResourceRequest, StoredObject } from './resource-request.ts';
import { checkStored } from './store-preconditions.ts';
import { updateStored } from './write-object.ts';
import { type WriteOptions, writeOptions } from './write-options.ts';

interface Updated {
  readonly object: StoredObject;
  readonly created: boolean;
}

interface Update {
  readonly body: RequestBody;
  /** Asked before an object is created that was not there; throws where the caller may not. */
  readonly authorizeCreate: () => void | Promise<void>;
}

/** @throws ApiError 400, 404, 409 and 422 as Kubernetes answers each fault */
export async function updateObject(
  context: WriteContext,
  request: ResourceRequest,
  { body, authorizeCreate }: Update,
): Promise<Updated> {
  const options = writeOptions(request.query, 'UpdateOptions');
  const { registry } = context;
  request.turn = body.turn;
  if (request.turn !== undefined) await request.turn.over();
  const object = decodeBody(request, body, {
    fieldValidation: options.fieldValidation,
    rules: registry.strategyContext(request.user),
  });
  dropRepeatedOwners(request, object, false);
  settleNamespace(request, object);
  checkName(request, object);
  const { definition, namespace, name } = request;
  const storage = await registry.storage(definition);
  const mayCreate = definition.strategy.createOnUpdate && request.subresource === '';
  if (mayCreate && (await findStored(storage, storageKey(definition, namespace, name))) === undefined) {
    checkStored(request, { uid: object.metadata.uid, resourceVersion: undefined }, { metadata: {} });
    object.metadata.resourceVersion = undefined;
    await authorizeCreate();
    return { object: await createDecoded(context, request, { object, options }), created: true };
  }
  return { object: await replace(context, request, { object, options }), created: false };
}

async function replace(
  context: WriteContext,
  request: ResourceRequest,
  update: { object: ApiObject; options: WriteOptions },
): Promise<StoredObject> {
  const { options } = update;
  const { resourceVersion = '' } = update.object.metadata;
  const isConditional = resourceVersion !== '' && resourceVersion !== '0';
  // Others' writes to the same store may make it be computed again all the same.
  const isAlone = context.registry.storeOf(request.definition).catchUp === undefined;
  const written = await updateStored(context.registry, {
    request,
    dryRun: options.dryRun,
    change: async (previous) => {
      // An update that names a version is refused when the object changed meanwhile; only others are computed again.
      const next = isConditional && isAlone ? update.object : copyJson(update.object);
      // A PUT that names another uid means another object.
      checkStored(request, { uid: next.metadata.uid, resourceVersion: undefined }, previous);
      checkVersion(request, next, previous);
      return { next: await prepareUpdate({ context, request, next, previous, dryRun: options.dryRun }) };
    },
  });
  return written.object;
}
