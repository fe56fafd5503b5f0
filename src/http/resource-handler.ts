// Requests for resources: which verb is asked for, what form its answer takes, and the answer itself. It knows verbs,
// not resources.

import { errors } from '../api/errors.ts';
import { apiLifecycle } from '../lifecycle/api-lifecycles.ts';
import { DeleteOptions } from '../resources/builtin/meta/v1.ts';
import { applyObject } from '../verbs/apply.ts';
import { createObject } from '../verbs/create.ts';
import { deleteObject } from '../verbs/delete.ts';
import { deleteCollection } from '../verbs/delete-collection.ts';
import { deleteOptions } from '../verbs/delete-options.ts';
import { getObject } from '../verbs/get.ts';
import { listObjects } from '../verbs/list.ts';
import { patchObject } from '../verbs/patch.ts';
import type { ResourceRequest } from '../verbs/resource-request.ts';
import { decodeStored } from '../verbs/stored-form.ts';
import { updateObject } from '../verbs/update.ts';
import { planWatch } from '../verbs/watch.ts';
import { isApply, readApply } from './apply-body.ts';
import { authorize } from './authorize.ts';
import { readDeleteOptions, readObject, readPatch } from './body.ts';
import type { Format } from './format.ts';
import { FrameOutbox } from './frame-outbox.ts';
import { respondList } from './list-response.ts';
import { checkAcceptable, resourceFormat, watchFormat } from './negotiate.ts';
import { type ObjectEncoder, ObjectEncoders } from './object-bytes.ts';
import type { RequestContext } from './request-context.ts';
import { type ResourceTarget, resourceTarget } from './resource-target.ts';
import { subresourceHandler } from './subresource-handler.ts';
import { includeObject, TableMaker } from './transforms.ts';
import { deletedStatus, respondObject, respondStatus } from './value-response.ts';
import { WatchFrames } from './watch-frames.ts';
import { runWatch } from './watch-response.ts';
import { upgradesToWebSocket, webSocketWriter } from './websocket.ts';

/** Answers requests for resources; made once for each server. */
export class ResourceHandler {
  readonly #encoders = new ObjectEncoders();
  readonly #outbox = new FrameOutbox();

  /** @returns false where not even the group is served */
  async handle(context: RequestContext): Promise<boolean> {
    const { services, info, exchange } = context;
    const target = resourceTarget(services.catalog, info, exchange.method);
    if (target === undefined) return false;
    const encoder = this.#encoders.for(target.definition, target.version);
    if (encoder.deprecation !== undefined) this.#warnOfDeprecation(context, encoder);
    const { definition } = target;
    if (info.verb === 'watch' && !definition.verbs.includes('watch')) throw errors.notWatchable(definition);
    const request: ResourceRequest = {
      definition: target.definition,
      version: target.version,
      namespace: target.namespace,
      name: target.name,
      subresource: info.subresource,
      user: context.user,
      userAgent: exchange.headers['user-agent'] ?? '',
      query: context.query,
      warnings: context.warnings,
    };
    const handler = subresourceHandler(target.definition, info.subresource);
    if (handler !== undefined) {
      await handler(context, request, encoder);
      return true;
    }
    if (!target.definition.custom) checkAcceptable(context, info.verb === 'list' || info.verb === 'watch');
    refuseUnserved(target, info.subresource);
    if (info.verb === 'watch') await watch(context, { request, encoder, outbox: this.#outbox });
    else
      await VERBS[info.verb]!(context, { request, encoder, format: resourceFormat(context, target.definition.custom) });
    return true;
  }

  #warnOfDeprecation(
    context: RequestContext,
    { definition, version, apiVersion, deprecation = '' }: ObjectEncoder,
  ): void {
    context.warnings.push(deprecation);
    const { group, resource } = definition;
    const removed_release = apiLifecycle(apiVersion, definition.kind)?.removed ?? '';
    context.services.metrics.requests.deprecatedApis
      .with({ group, version: version.version, resource, subresource: context.info.subresource, removed_release })
      .set(1);
  }
}

/** Subresources and virtual resources whose work is not done here yet are refused, never half served. */
function refuseUnserved({ definition, subresource }: ResourceTarget, name: string): void {
  const served =
    subresource === undefined || name === 'status' || definition.behaviour.subresourceRules?.[name] !== undefined;
  if (!served) throw errors.notImplemented(`${definition.resource}/${name}`);
  if (definition.storageVersionHash === '') throw errors.notImplemented(definition.resource);
}

interface Handling {
  readonly request: ResourceRequest;
  readonly encoder: ObjectEncoder;
  readonly format: Format;
}

const VERBS: Record<string, (context: RequestContext, handling: Handling) => Promise<void>> = {
  get: async (context, { request, encoder, format }) => {
    const object = await getObject(context.services.writes.registry, request);
    await respondObject(context, { status: 200, object, encoder, format });
  },

  list: async (context, { request, encoder, format }) => {
    const list = await listObjects(context.services.writes.registry, request);
    await respondList(context, { list, encoder, format });
  },

  create: async (context, { request, encoder, format }) => {
    const body = await readObject(context, request.definition.kind, request.definition.custom);
    const object = await createObject(context.services.writes, request, body);
    await respondObject(context, { status: 201, object, encoder, format });
  },

  update: async (context, { request, encoder, format }) => {
    const body = await readObject(context, request.definition.kind, request.definition.custom);
    const { object, created } = await updateObject(context.services.writes, request, {
      body,
      authorizeCreate: () => authorize(context, 'create'),
    });
    await respondObject(context, { status: created ? 201 : 200, object, encoder, format });
  },

  patch: async (context, { request, encoder, format }) => {
    if (isApply(context)) {
      const { object, created } = await applyObject(context.services.writes, request, await readApply(context));
      return respondObject(context, { status: created ? 201 : 200, object, encoder, format });
    }
    const patch = await readPatch(context, request.definition.custom);
    const object = await patchObject(context.services.writes, request, patch);
    await respondObject(context, { status: 200, object, encoder, format });
  },

  delete: async (context, { request, encoder, format }) => {
    const options = await readOptions(context);
    const { object, removed } = await deleteObject(context.services.writes, request, options);
    if (!removed || request.definition.behaviour.returnsDeleted === true) {
      const status = !removed && options.cascadeAsked === true ? 202 : 200;
      return respondObject(context, { status, object, encoder, format });
    }
    const { group, resource } = request.definition;
    const { uid } = decodeStored(object).metadata;
    const details = { name: request.name, ...(group === '' ? {} : { group }), kind: resource, uid };
    await respondStatus(context, deletedStatus(details), format);
  },

  deletecollection: async (context, { request, encoder, format }) => {
    const options = await readOptions(context);
    const list = await deleteCollection(context.services.writes, request, options);
    await respondList(context, { list, encoder, format });
  },
};

async function readOptions(context: RequestContext) {
  const body = await readDeleteOptions(context);
  return deleteOptions(context.query, body, DeleteOptions);
}

interface Watching {
  readonly request: ResourceRequest;
  readonly encoder: ObjectEncoder;
  readonly outbox: FrameOutbox;
}

async function watch(context: RequestContext, { request, encoder, outbox }: Watching): Promise<void> {
  const { services, exchange } = context;
  const format = watchFormat(context, request.definition.custom);
  const plan = await planWatch(services.writes.registry, request, {
    minRequestTimeoutMs: services.settings.minRequestTimeoutMs,
  });
  const tables =
    format.as?.kind === 'Table'
      ? new TableMaker(request.definition, {
          version: format.as.version,
          include: includeObject(context.query.text('includeObject')),
          nowMs: services.clock.now(),
        })
      : undefined;
  const frames = new WatchFrames({ encoder, format, tables });
  context.becomeLongRunning();
  const withdrawn = new AbortController();
  // Watches end with the definition of what they watch.
  const forget = request.definition.lifetime?.onEnd(() => withdrawn.abort());
  const endings = [services.draining, withdrawn.signal];
  try {
    if (upgradesToWebSocket(exchange)) {
      const { writer, closed } = await webSocketWriter(context);
      return await runWatch(context, { plan, frames, writer, endings: [closed, ...endings], outbox, joins: false });
    }
    const writer = context.stream(200, context.headers(format.contentType));
    await runWatch(context, { plan, frames, writer, endings: [exchange.signal, ...endings], outbox });
  } finally {
    forget?.();
  }
}
