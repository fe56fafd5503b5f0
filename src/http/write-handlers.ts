// Handlers of mutating requests. Loaded with the first one, not at startup.

import type { AuditTrail } from '../api/audit-trail.ts';
import { errors } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import { lookup } from '../base/lookup.ts';
import { DeleteOptions } from '../resources/builtin/meta/v1.ts';
import { holdsIn } from '../resources/strategy-rules.ts';
import { typeInRelease } from '../schema/declared-struct.ts';
import { DecodeError, decodeObject } from '../schema/decode.ts';
import { applyObject } from '../verbs/apply.ts';
import { createObject } from '../verbs/create.ts';
import { deleteObject } from '../verbs/delete.ts';
import { deleteCollection } from '../verbs/delete-collection.ts';
import { deleteOptions } from '../verbs/delete-options.ts';
import { checkListParameters } from '../verbs/list.ts';
import { patchObject } from '../verbs/patch.ts';
import {
  refuseUnsafeCollection,
  UNSAFE_DELETE_VERB,
  UNSAFE_DELETION_GATE,
  unsafeDelete,
} from '../verbs/unsafe-delete.ts';
import { updateObject } from '../verbs/update.ts';
import { checkWriteOptions } from '../verbs/write-options.ts';
import { readApply } from './body/apply-body.ts';
import { readDeleteOptions, readObject, readPatch } from './body/body.ts';
import { isApply } from './body/patch-type.ts';
import { authorize, authorizeCreate } from './filters/authorize.ts';
import { applyErrorIn, patchErrorIn } from './patch-errors.ts';
import type { RequestContext } from './request-context.ts';
import { respondList } from './response/list-response.ts';
import { deletedStatus, respondObject, respondStatus } from './response/value-response.ts';
import type { VerbHandler } from './verb-handler.ts';

export const writeHandlers: Readonly<Record<string, VerbHandler>> = lookup({
  create: async (context, { request, encoder, format }) => {
    const { kind, codec } = request.definition;
    const body = await readObject(context, kind, {
      codec,
      checkOptions: () => checkWriteOptions(request, 'CreateOptions'),
    });
    const object = await createObject(context.services.writes, request, body);
    await respondObject(context, { status: 201, object, encoder, format });
  },

  update: async (context, { request, encoder, format }) => {
    const { kind, codec } = request.definition;
    const body = await readObject(context, kind, {
      codec,
      checkOptions: () => checkWriteOptions(request, 'UpdateOptions'),
      isTypeLast: true,
    });
    const { object, created } = await updateObject(context.services.writes, request, {
      body,
      authorizeCreate: () => authorizeCreate(context),
    });
    await respondObject(context, { status: created ? 201 : 200, object, encoder, format });
  },

  patch: async (context, { request, encoder, format }) => {
    const { catalog, writes } = context.services;
    if (isApply(context)) {
      const { object, created } = await applyObject(writes, request, await readApply(context)).catch((error) => {
        throw applyErrorIn(catalog.minor, error);
      });
      return respondObject(context, { status: created ? 201 : 200, object, encoder, format });
    }
    const patch = await readPatch(context, request.definition.codec);
    const object = await patchObject(writes, request, patch).catch(async (error) => {
      throw await patchErrorIn(catalog.minor, error, patch);
    });
    await respondObject(context, { status: 200, object, encoder, format });
  },

  delete: async (context, { request, encoder, format }) => {
    const options = await readOptions(context);
    if (options.ignoreReadError === true) return deleteUnread(context, { request, format, dryRun: options.dryRun });
    const { object, uid, removed, isShown } = await deleteObject(context.services.writes, request, options);
    const { returnsObject = false } = request.definition.strategy.deletion ?? {};
    const returns = returnsObject === 'unpublished' || holdsIn(returnsObject, request.version.version);
    if (!removed || isShown === true || returns) {
      const status = !removed && options.cascadeAsked === true ? 202 : 200;
      return respondObject(context, { status, object, encoder, format });
    }
    const { group, resource } = request.definition;
    const details = { name: request.name, ...(group === '' ? {} : { group }), kind: resource, uid };
    await respondStatus(context, deletedStatus(details), format);
  },

  deletecollection: async (context, { request, encoder, format }) => {
    checkListParameters(context.services.writes.registry, request);
    const options = await readOptions(context);
    if (options.ignoreReadError === true) refuseUnsafeCollection();
    const list = await deleteCollection(context.services.writes, request, options);
    await respondList(context, { list, encoder, format });
  },
});

/** The storage of roles and their bindings checks for escalation, and offers nothing else. */
const WITHOUT_UNSAFE_DELETER = 'rbac.authorization.k8s.io';
const NO_UNSAFE_DELETER = 'no unsafe deleter provided, can not honor ignoreStoreReadErrorWithClusterBreakingPotential';

/** Requires a permission of its own in addition to delete. */
async function deleteUnread(
  context: RequestContext,
  { request, format, dryRun }: Pick<Parameters<VerbHandler>[1], 'request' | 'format'> & { readonly dryRun: boolean },
): Promise<void> {
  context.audit?.annotate('apiserver.k8s.io/unsafe-delete-ignore-read-error', '');
  await authorize(context, UNSAFE_DELETE_VERB, (reason) => {
    return errors.forbidden(
      { ...request.definition, name: request.name },
      `not permitted to do "${UNSAFE_DELETE_VERB}", reason: ${reason}`,
    );
  });
  const { catalog, writes } = context.services;
  if (request.definition.group === WITHOUT_UNSAFE_DELETER) throw errors.internal(NO_UNSAFE_DELETER);
  await unsafeDelete(writes.registry, request, { dryRun, minor: catalog.minor });
  await respondStatus(context, deletedStatus({ name: request.name, kind: request.definition.kind }), format);
}

/** As in kube-apiserver's audit events: in its internal version. */
function auditOptions(audit: AuditTrail, value: unknown): void {
  try {
    const options = decodeObject(DeleteOptions, value ?? {}).value as ApiObject;
    const { kind = '' } = options as { kind?: string };
    if (kind !== '' && kind !== 'DeleteOptions') return;
    audit.requestObject({ ...options, kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal' });
  } catch (error) {
    // Options that cannot be decoded have a more specific error.
    if (!(error instanceof DecodeError)) throw error;
  }
}

async function readOptions(context: RequestContext) {
  const body = await readDeleteOptions(context);
  if (body !== undefined && context.audit?.recordsRequests === true) auditOptions(context.audit, body.value);
  const { catalog, writes } = context.services;
  const unsafe = writes.registry.gateEnabled(UNSAFE_DELETION_GATE);
  const { minor } = catalog;
  return deleteOptions(context.query, body, { schema: typeInRelease(DeleteOptions, minor), unsafe, minor });
}
