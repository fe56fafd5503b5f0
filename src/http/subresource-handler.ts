// Handlers of resources and subresources that are not stored objects: the request is an action. All others are handled
// by resource-handler.ts.

import type { ApiObject } from '../api/object.ts';
import { lookup } from '../base/lookup.ts';
import { customScaleTable, scaleTable } from '../resources/builtin/autoscaling/tables.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { applyScale } from '../verbs/apply-scale.ts';
import { bindPod } from '../verbs/bind-pod.ts';
import { getComponentStatus, listComponentStatuses } from '../verbs/component-statuses.ts';
import { evictPod } from '../verbs/evict-pod.ts';
import type { ResourceRequest } from '../verbs/resource-request.ts';
import { getScale, isScale, patchScale, updateScale } from '../verbs/scale.ts';
import { checkWriteOptions } from '../verbs/write-options.ts';
import { readApply } from './body/apply-body.ts';
import { readObject, readPatch } from './body/body.ts';
import { checkPatchType, isApply } from './body/patch-type.ts';
import { connectLog, connectNode, connectPod, connectService, connectStream } from './connect/connect.ts';
import {
  createAccessReview,
  createRulesReview,
  createSelfReview,
  createToken,
  createTokenReview,
} from './identity-handlers.ts';
import type { RequestContext } from './request-context.ts';
import type { Format } from './response/format.ts';
import { respondList } from './response/list-response.ts';
import { checkAcceptable, resourceFormat, unstoredFormat } from './response/negotiate.ts';
import type { ObjectEncoder } from './response/object-bytes.ts';
import { requestFormat } from './response/request-format.ts';
import { respondMade, respondObject, respondStatus } from './response/value-response.ts';

type SubresourceHandler = (context: RequestContext, request: ResourceRequest, encoder: ObjectEncoder) => Promise<void>;

/** Of the core group, by resource and subresource. */
const CORE: Readonly<Record<string, SubresourceHandler>> = lookup({
  bindings: createBinding,
  componentstatuses: readComponents,
  'nodes/proxy': connectNode,
  'pods/attach': connectStream,
  'pods/binding': createBinding,
  'pods/eviction': createEviction,
  'pods/exec': connectStream,
  'pods/log': connectLog,
  'pods/portforward': connectStream,
  'pods/proxy': connectPod,
  'serviceaccounts/token': createToken,
  'services/proxy': connectService,
});

/** Of other groups: resources that are not stored. */
const REVIEWS: Readonly<Record<string, SubresourceHandler>> = lookup({
  'localsubjectaccessreviews.authorization.k8s.io': createAccessReview,
  'selfsubjectaccessreviews.authorization.k8s.io': createAccessReview,
  'selfsubjectreviews.authentication.k8s.io': createSelfReview,
  'selfsubjectrulesreviews.authorization.k8s.io': createRulesReview,
  'subjectaccessreviews.authorization.k8s.io': createAccessReview,
  'tokenreviews.authentication.k8s.io': createTokenReview,
});

/** The handler of a resource ('' for the resource itself) or subresource; undefined if it needs none. */
export function subresourceHandler(definition: ResourceDefinition, name: string): SubresourceHandler | undefined {
  const subresource = definition.subresources[name];
  if (subresource !== undefined && isScale(subresource)) return scale;
  if (definition.group !== '') return name === '' ? REVIEWS[`${definition.resource}.${definition.group}`] : undefined;
  return CORE[name === '' ? definition.resource : `${definition.resource}/${name}`];
}

async function createBinding(context: RequestContext, request: ResourceRequest): Promise<void> {
  checkAcceptable(context, false);
  const format = unstoredFormat(context);
  checkWriteOptions(request, 'CreateOptions');
  const { writes, catalog } = context.services;
  // Bindings are also accepted under a path of their own.
  const pods = catalog.find('', 'pods')!;
  await bindPod(writes, request, { pods, body: await readObject(context, 'Binding') });
  await respondCreated(context, format);
}

async function createEviction(context: RequestContext, request: ResourceRequest): Promise<void> {
  checkAcceptable(context, false);
  const format = unstoredFormat(context);
  checkWriteOptions(request, 'CreateOptions');
  const { writes, catalog } = context.services;
  const budgets = catalog.find('policy', 'poddisruptionbudgets')!;
  await evictPod(writes, request, { budgets, body: await readObject(context, 'Eviction') });
  await respondCreated(context, format);
}

function respondCreated(context: RequestContext, format: Format): Promise<void> {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } as const;
  return respondStatus(context, status, format);
}

async function readComponents(context: RequestContext, request: ResourceRequest, encoder: ObjectEncoder) {
  const isList = context.info.verb === 'list';
  checkAcceptable(context, isList);
  const format = requestFormat(context, request);
  const { components } = context.services;
  if (isList) return respondList(context, { list: await listComponentStatuses(components, request), encoder, format });
  return respondObject(context, {
    status: 200,
    object: await getComponentStatus(components, request),
    encoder,
    format,
  });
}

async function scale(context: RequestContext, request: ResourceRequest): Promise<void> {
  const { codec, scale: paths } = request.definition;
  if (context.info.verb === 'patch') checkPatchType(context, codec);
  if (codec.hasRoutes) checkAcceptable(context, false);
  const format = resourceFormat(context, request.definition);
  const object = await scaleAfter(context, request);
  // The Scale of a custom resource is not converted.
  const isPlain = paths !== undefined;
  const table = isPlain ? customScaleTable : scaleTable;
  await respondMade(context, {
    status: 200,
    object,
    format,
    table,
    goType: isPlain ? '*v1.Scale' : '*autoscaling.Scale',
  });
}

/** What the request makes of a scale: unchanged for a read. */
async function scaleAfter(context: RequestContext, request: ResourceRequest): Promise<ApiObject> {
  const { writes } = context.services;
  switch (context.info.verb) {
    case 'get':
      return getScale(writes.registry, request);
    case 'update':
      checkWriteOptions(request, 'UpdateOptions');
      return updateScale(writes, request, await readObject(context, 'Scale'));
    default:
      if (isApply(context)) return applyScale(writes, request, await readApply(context));
      return patchScale(writes, request, await readPatch(context, request.definition.codec));
  }
}
