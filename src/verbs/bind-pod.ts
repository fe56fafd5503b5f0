// The subresource binding: a scheduler assigns a node to a pod, once. Bindings are not stored; their content becomes
// part of the pod.

import { errors, type FieldError, fieldError, fieldErrorBody } from '../api/errors.ts';
import { isObject } from '../api/is-object.ts';
import { copyJson } from '../api/json-writer.ts';
import { subdomainFaults } from '../api/names.ts';
import type { ApiObject } from '../api/object.ts';
import { isLater } from '../base/soon.ts';
import { carriedOut } from '../base/steps.ts';
import { isSince } from '../lifecycle/version.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { faultErrors } from '../resources/validation/field-rules.ts';
import { listAt, textAt } from '../resources/value.ts';
import { replacing } from './admitted-object.ts';
import { requestOfKind } from './body-kind.ts';
import { decodingBody } from './decode-body.ts';
import { settleNamespace } from './object-metadata.ts';
import { dropRepeatedOwners } from './owner-references.ts';
import { trackCreation } from './ownership.ts';
import { setPodCondition } from './pod-condition.ts';
import type { RequestBody, ResourceRequest } from './resource-request.ts';
import { checkStored } from './store-preconditions.ts';
import { Write, type WriteContext } from './write.ts';
import { updateStored } from './write-object.ts';
import { writeOptions } from './write-options.ts';

const BINDING = { group: '', version: 'v1', kind: 'Binding' };

/**
 * Binds a pod.
 * @param request has the pod's name in its path; without one there (the resource bindings) the name in the body counts
 * @throws ApiError 400, 404, 409 if the pod can't be bound any more, 500 for an invalid target
 */
export async function bindPod(
  context: WriteContext,
  request: ResourceRequest,
  { pods, body }: { readonly pods: ResourceDefinition; readonly body: RequestBody },
): Promise<void> {
  const { registry, admission } = context;
  const options = { ...writeOptions(request, 'CreateOptions'), turn: body.turn };
  const { dryRun } = options;
  const nowMs = registry.clock.now();
  const asked = new Write(context, requestOfKind(request, BINDING), options);
  const decoding = carriedOut(decodingBody(asked, body), body.turn);
  const binding = isLater(decoding) ? await decoding : decoding;
  settleNamespace(request, binding);
  dropRepeatedOwners(request, binding);
  await trackCreation(asked, binding);
  await admission.admitWhole(
    {
      ...{ request, operation: 'create', object: binding, previous: undefined, dryRun },
      replace: replacing(asked, binding),
    },
    () => {
      if (request.name !== '' && (binding.metadata.name ?? '') !== request.name) {
        throw errors.badRequest('name in URL does not match name in Binding object');
      }
      checkTarget(binding, request.definition);
    },
  );
  const { name = '', resourceVersion, annotations, labels } = binding.metadata;
  // That of a new object, as the resource bindings has it, is not a precondition.
  const uid = request.name === '' ? undefined : binding.metadata.uid;
  if (name === '') throw errors.badRequest('Name parameter required.');
  const pod = { ...request, definition: pods, version: pods.versions[0]!, subresource: 'binding', name };
  await updateStored(new Write(context, pod, options), {
    change: (current) => {
      checkStored(pod, { uid, resourceVersion, dryRun }, current);
      const reason = notBindable(current);
      if (reason !== undefined) throw errors.conflict({ group: '', resource: 'pods/binding', name }, reason);
      const next = copyJson(current);
      next.spec = { ...(isObject(next.spec) ? next.spec : {}), nodeName: textAt(binding, 'target', 'name') };
      if (registry.gateEnabled('ClearingNominatedNodeNameAfterBinding') && isObject(next['status'])) {
        delete next['status']['nominatedNodeName'];
      }
      if (annotations !== undefined) next.metadata.annotations = { ...next.metadata.annotations, ...annotations };
      if (labels !== undefined && registry.gateEnabled('PodTopologyLabelsAdmission')) {
        next.metadata.labels = { ...next.metadata.labels, ...labels };
      }
      setPodCondition(next, { type: 'PodScheduled', status: 'True' }, nowMs);
      return { next };
    },
  });
}

/** @throws ApiError 500, as in kube-apiserver */
function checkTarget(binding: ApiObject, definition: ResourceDefinition): void {
  const [kind, name] = [textAt(binding, 'target', 'kind'), textAt(binding, 'target', 'name')];
  const found: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') found.push(fieldError.notSupported('target.kind', kind, ['Node', '<empty>']));
  if (name === '') found.push(fieldError.required('target.name'));
  const namesNode = name !== '' && (kind === '' || kind === 'Node');
  // Before 1.37 any text was taken for the name of a node.
  if (namesNode && isSince(definition, 37)) found.push(...faultErrors(subdomainFaults(name), name, 'target.name'));
  if (found.length === 0) return;
  const texts = found.map((each) => `${each.field}: ${fieldErrorBody(each)}`);
  throw errors.unexplained(texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`);
}

/** Why a pod cannot be bound. */
function notBindable(pod: ApiObject): string | undefined {
  const { name, deletionTimestamp } = pod.metadata;
  if (deletionTimestamp !== undefined) return `pod ${name} is being deleted, cannot be assigned to a host`;
  const node = textAt(pod, 'spec', 'nodeName');
  if (node !== '') return `pod ${name} is already assigned to node ${JSON.stringify(node)}`;
  if (listAt(pod, 'spec', 'schedulingGates').length > 0) return `pod ${name} has non-empty .spec.schedulingGates`;
  return undefined;
}
