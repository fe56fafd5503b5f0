// Handler of resource requests: determines the verb and the format of the response, and responds. It knows verbs, not
// resources.

import { ApiError, errors } from '../api/errors.ts';
import { ownMember } from '../api/own-member.ts';
import { limits } from '../base/limits.ts';
import { lookup } from '../base/lookup.ts';
import { apiLifecycle } from '../lifecycle/api-lifecycles.ts';
import { typedCodec } from '../resources/codec.ts';
import { Lifetime } from '../resources/custom/lifetime.ts';
import { getObject, refuseExport } from '../verbs/get.ts';
import { listObjects } from '../verbs/list.ts';
import type { ResourceRequest } from '../verbs/resource-request.ts';
import { hasLongSelectors, parseLongSelectors } from '../verbs/selection.ts';
import { checkWatch, checkWatchOptions, planWatch } from '../verbs/watch.ts';
import { checkPatchType } from './body/patch-type.ts';
import { headerText } from './exchange/header-texts.ts';
import type { BodyWriter } from './exchange/transport.ts';
import type { RequestContext } from './request-context.ts';
import { type ResourceTarget, resourceTarget } from './resource-target.ts';
import { FrameOutbox } from './response/frame-outbox.ts';
import { gzipMembers, wantsGzip } from './response/gzip.ts';
import { respondList } from './response/list-response.ts';
import { checkAcceptable, resourceFormat, watchFormat } from './response/negotiate.ts';
import { type ObjectEncoder, ObjectEncoders } from './response/object-bytes.ts';
import { requestFormat } from './response/request-format.ts';
import { SharedFrames } from './response/shared-frames.ts';
import { includeObject } from './response/table.ts';
import { respondObject } from './response/value-response.ts';
import { WatchFrames } from './response/watch-frames.ts';
import { runWatch } from './response/watch-response.ts';
import { upgradesToWebSocket, webSocketWriter } from './response/websocket.ts';
import type { subresourceHandler } from './subresource-handler.ts';
import type { VerbHandler } from './verb-handler.ts';

/** Handles resource requests; created once per server. */
export class ResourceHandler {
  readonly #encoders = new ObjectEncoders();
  readonly #outbox = new FrameOutbox(limits.joinedFrameBytes);
  readonly #shared = new SharedFrames(limits.sharedFrameBytes);
  /** The time until the server drains. Its signal would compare each new listener with those of all watches. */
  readonly #running = new Lifetime();
  /** Loaded on first use, not at startup. */
  #writeHandlers: Readonly<Record<string, VerbHandler>> | undefined;
  #special: typeof subresourceHandler | undefined;

  /** @param draining ends all watches */
  constructor(draining: AbortSignal) {
    draining.addEventListener('abort', () => this.#running.end());
  }

  /** @returns false if the group is not served */
  async handle(context: RequestContext): Promise<boolean> {
    const { info, exchange } = context;
    const target = this.#target(context) ?? (await this.#latestTarget(context));
    if (target === undefined) return false;
    const encoder = this.#encoders.for(target.definition, target.version);
    const { definition } = target;
    if (encoder.deprecation !== undefined) {
      if (definition.codec.hasRoutes) checkRoute(context);
      this.#warnOfDeprecation(context, encoder);
    }
    const request: ResourceRequest = {
      definition: target.definition,
      version: target.version,
      namespace: target.namespace,
      name: target.name,
      subresource: info.subresource,
      verb: info.verb,
      user: context.user,
      userAgent: headerText(exchange.headers['user-agent'] ?? ''),
      query: context.query,
      warnings: context.warnings,
      audit: context.audit,
      phases: context,
      life: context,
    };
    if (hasLongSelectors(context.query)) await parseLongSelectors(context.query, context.services.turns);
    if (info.verb === 'watch' && !definition.verbs.includes('watch')) {
      checkRoute(context);
      checkWatch(context.services.writes.registry, request);
      throw errors.notWatchable(definition);
    }
    if (isSpecial(target, info.subresource)) {
      this.#special ??= (await import('./subresource-handler.ts')).subresourceHandler;
      const handler = this.#special(definition, info.subresource);
      if (handler !== undefined) {
        context.countAs('resource');
        await handler(context, request, encoder);
        return true;
      }
    }
    if (info.verb === 'patch') {
      checkPatchType(context, definition.codec);
      if (target.name === '') throw errors.badRequest('name must be provided');
    }
    if (definition.codec.hasRoutes) checkAcceptable(context, info.verb === 'list' || info.verb === 'watch');
    refuseUnserved(target, info.subresource);
    context.countAs('resource');
    const shared = { outbox: this.#outbox, shared: this.#shared, running: this.#running };
    if (info.verb === 'watch') await watch(context, { request, encoder, ...shared });
    else {
      const handle = readHandlers[info.verb] ?? (await this.#write(info.verb));
      await handle(context, { request, encoder, format: requestFormat(context, request) });
    }
    return true;
  }

  /**
   * The target of the path. Users of deprecated custom resources are warned even if the path leads nowhere, but only
   * requests that lead somewhere are counted and annotated.
   */
  #target(context: RequestContext): ResourceTarget | undefined {
    const { info, exchange, services } = context;
    try {
      return resourceTarget(services.catalog, info, exchange.method);
    } catch (error) {
      const found = services.catalog.lookup(info.group, info.version, info.resource);
      const encoder =
        found === undefined || found.definition.codec.hasRoutes
          ? undefined
          : this.#encoders.for(found.definition, found.version);
      if (encoder?.deprecation !== undefined) context.warnings.push(encoder.deprecation);
      throw error;
    }
  }

  /** The target of the path once the definitions are served that others have established. */
  async #latestTarget(context: RequestContext): Promise<ResourceTarget | undefined> {
    const { definitionsKnown } = context.services;
    if (definitionsKnown === undefined) return undefined;
    await definitionsKnown();
    return this.#target(context);
  }

  async #write(verb: string): Promise<VerbHandler> {
    this.#writeHandlers ??= (await import('./write-handlers.ts')).writeHandlers;
    return this.#writeHandlers[verb]!;
  }

  #warnOfDeprecation(
    context: RequestContext,
    { definition, version, apiVersion, deprecation = '' }: ObjectEncoder,
  ): void {
    context.warnings.push(deprecation);
    const { group, resource } = definition;
    const removed_release = apiLifecycle(apiVersion, definition.kind)?.removed ?? '';
    context.audit?.annotateLast('k8s.io/deprecated', 'true');
    if (removed_release !== '') context.audit?.annotateLast('k8s.io/removed-release', removed_release);
    context.services.metrics.requests.deprecatedApis
      .with({ group, version: version.version, resource, subresource: context.info.subresource, removed_release })
      .set(1);
  }
}

/** Candidates for special handlers: subresources other than status, and resources that are not stored. */
function isSpecial({ definition, subresource }: ResourceTarget, name: string): boolean {
  return (subresource !== undefined && name !== 'status') || definition.hashedStorage === '';
}

/** Subresources and virtual resources that are not implemented are rejected, never served in part. */
function refuseUnserved({ definition, subresource }: ResourceTarget, name: string): void {
  const served = subresource === undefined || ownMember(definition.strategy.subresources, name) !== undefined;
  if (!served) throw errors.notImplemented(`${definition.resource}/${name}`);
  if (definition.hashedStorage === '') throw errors.notImplemented(definition.resource);
}

/** What kube-apiserver's router checks, before anything is known of the resource. @throws ApiError 406, 415 */
function checkRoute(context: RequestContext): void {
  const { verb } = context.info;
  if (verb === 'patch') checkPatchType(context, typedCodec);
  checkAcceptable(context, verb === 'list' || verb === 'watch');
}

const readHandlers: Readonly<Record<string, VerbHandler>> = lookup({
  get: async (context, { request, encoder, format }) => {
    refuseExport(request);
    const object = await getObject(context.services.writes.registry, request);
    await respondObject(context, { status: 200, object, encoder, format });
  },

  list: async (context, { request, encoder, format }) => {
    const list = await listObjects(context.services.writes.registry, request);
    const isPage = !context.query.empty && context.query.text('limit') !== '';
    await respondList(context, { list, encoder, format, isPage });
  },
});

interface Watching {
  readonly request: ResourceRequest;
  readonly encoder: ObjectEncoder;
  readonly outbox: FrameOutbox;
  readonly shared: SharedFrames;
  readonly running: Lifetime;
}

/** Behind a gate, watches that begin with all objects are compressed for clients that accept gzip. */
function watchWriter(context: RequestContext, contentType: string): BodyWriter {
  const { query, services } = context;
  const headers = context.headers(contentType);
  const isList = query.flag('sendInitialEvents') && query.flag('allowWatchBookmarks');
  const isPacked = isList && wantsGzip(context, services.writes.registry.gateEnabled('WatchListCompression'));
  if (!isPacked) return context.stream(200, headers);
  return gzipMembers(context.stream(200, { ...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' }));
}

/** The error for a watch that a stopping server would have to end immediately. */
function shuttingDown(): ApiError {
  const message = 'apiserver is shutting down';
  return new ApiError({ code: 503, reason: 'ServiceUnavailable', message, details: { retryAfterSeconds: 1 } });
}

async function watch(context: RequestContext, { request, encoder, outbox, shared, running }: Watching): Promise<void> {
  const { services, exchange } = context;
  if (services.settings.refusesWatches && services.draining.aborted) throw shuttingDown();
  checkWatchOptions(services.writes.registry, request);
  const { as } = resourceFormat(context, request.definition);
  const plan = await planWatch(services.writes.registry, request, {
    minRequestTimeoutMs: services.settings.minRequestTimeoutMs,
  });
  if (encoder.converts && plan.from === 'state') {
    const { cache, selection } = plan;
    await encoder.prepareAll(cache.snapshot().objects(selection.candidates ?? selection));
  }
  const include = as?.kind === 'Table' ? includeObject(context.query.text('includeObject')) : undefined;
  // A list may have formats that a watch has not.
  const format = watchFormat(context, request.definition.codec);
  const { clock, writes } = services;
  const forms = writes.registry.forms(request.definition);
  const frames = new WatchFrames({ encoder, format, include, shared, clock, forms });
  const ending = new AbortController();
  const end = () => ending.abort();
  context.becomeLongRunning();
  // Watches end with the CustomResourceDefinition of their resource.
  const forgets = [running.onEnd(end), request.definition.lifetime?.onEnd(end)];
  if (services.draining.aborted) end();
  const watched = { plan, frames, outbox, kind: request.definition.kind };
  try {
    if (upgradesToWebSocket(exchange)) {
      const { writer, closed } = await webSocketWriter(context, format.media);
      return await runWatch(context, { ...watched, writer, endings: [closed, ending.signal], joins: false });
    }
    const writer = watchWriter(context, format.contentType);
    await runWatch(context, { ...watched, writer, endings: [exchange.signal, ending.signal] });
  } finally {
    for (const forget of forgets) forget?.();
  }
}
