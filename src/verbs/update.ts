// The verb update: replaces an object by the one in the body, if its resource version is current.

import { errors } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import { isLater, type Soon } from '../base/soon.ts';
import { carriedOut } from '../base/steps.ts';
import { isSince } from '../lifecycle/version.ts';
import { findStored } from './caught-up.ts';
import { copyObject } from './computed.ts';
import { createDecoded } from './create.ts';
import { decodingBody } from './decode-body.ts';
import { checkName, settleNamespace } from './object-metadata.ts';
import { dropRepeatedOwners } from './owner-references.ts';
import { prepareUpdate } from './prepare-update.ts';
import { storageKey } from './registry.ts';
import { createsBy, type RequestBody, type ResourceRequest, type StoredObject } from './resource-request.ts';
import { checkStored } from './store-preconditions.ts';
import { Write, type WriteContext } from './write.ts';
import { updateStored } from './write-object.ts';
import { writeOptions } from './write-options.ts';

interface Updated {
  readonly object: StoredObject;
  readonly created: boolean;
}

interface Update {
  readonly body: RequestBody;
  /** Called before an update creates a missing object; throws if the user may not. */
  readonly authorizeCreate: () => Soon<void>;
}

/** The first minor release of Kubernetes 1 that looks for the object before it compares its UID. */
const MISSING_IS_TOLD = 34;

/** @throws ApiError 400, 404, 409 and 422 as in Kubernetes */
export async function updateObject(
  context: WriteContext,
  request: ResourceRequest,
  { body, authorizeCreate }: Update,
): Promise<Updated> {
  const write = new Write(context, request, { ...writeOptions(request, 'UpdateOptions'), turn: body.turn });
  await write.pause();
  const storage = await write.registry.storage(request.definition);
  const decoding = carriedOut(decodingBody(write, body), write.turn);
  const object = isLater(decoding) ? await decoding : decoding;
  settleNamespace(request, object);
  checkName(request, object);
  dropRepeatedOwners(request, object);
  const { definition, namespace, name } = request;
  const mayCreate = definition.strategy.createOnUpdate && createsBy(request);
  const isCompared = mayCreate || !isSince(definition, MISSING_IS_TOLD);
  if (isCompared && (await findStored(storage, storageKey(definition, namespace, name))) === undefined) {
    checkStored(request, preconditionsOf(write, object), { metadata: {} });
    if (!mayCreate) throw errors.notFound({ group: definition.group, resource: definition.resource, name });
    await authorizeCreate();
    return { object: await createDecoded(write, object, { byUpdate: true }), created: true };
  }
  return { object: await replace(write, object), created: false };
}

async function replace(write: Write, object: ApiObject): Promise<StoredObject> {
  const { registry, request } = write;
  const { resourceVersion = '' } = object.metadata;
  const isConditional = resourceVersion !== '' && resourceVersion !== '0';
  // Writes of other servers to the same store may still cause a retry.
  const isAlone = registry.storeOf(request.definition).catchUp === undefined;
  const written = await updateStored(write, {
    change: async (previous) => {
      // An update with a resource version is rejected if the object changed meanwhile; only others are retried.
      const next = isConditional && isAlone ? object : copyObject(request.definition, object);
      // A PUT with another UID refers to another object.
      checkStored(request, preconditionsOf(write, next), previous);
      return { next: await prepareUpdate(write, { next, previous }) };
    },
  });
  return written.object;
}

function preconditionsOf({ dryRun }: Write, { metadata }: ApiObject) {
  return { uid: metadata.uid, resourceVersion: undefined, dryRun };
}
