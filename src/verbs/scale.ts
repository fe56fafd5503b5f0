// The subresource scale: the number of replicas of a workload, read and written independently of its kind.

import { ApiError, errors, type FieldErrors, fieldError } from '../api/errors.ts';
import { apiVersionOf } from '../api/group-version.ts';
import { isObject } from '../api/is-object.ts';
import { copyJson } from '../api/json-writer.ts';
import { validateManagedFields, validateObjectMeta } from '../api/metadata-validation.ts';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { inScheme } from '../api/unregistered-kind.ts';
import { type Manager, readManagers, writeManagers } from '../apply/managers.ts';
import { fieldElement } from '../apply/path-element.ts';
import { managersAfterScale, REPLICAS, SCALE_VERSION, scaleManagers } from '../apply/scale-entries.ts';
import type { TypedObject } from '../apply/typed-object.ts';
import { managersAfterUpdate } from '../apply/update.ts';
import { valueTypeOf } from '../apply/value-type.ts';
import { joined, NONE } from '../base/findings.ts';
import type { Soon } from '../base/soon.ts';
import { isSince } from '../lifecycle/version.ts';
import { builtinType } from '../resources/builtin/types.ts';
import { accessorFault } from '../resources/custom/accessor-fault.ts';
import type { ResourceDefinition, ScalePaths, Subresource } from '../resources/definition.ts';
import { objectIn } from '../resources/fill-in.ts';
import { coveredByDeclaration, optsIn, withDeclaredRules } from '../resources/validation/declarative-validation.ts';
import { at, textAt } from '../resources/value.ts';
import { replacing } from './admitted-object.ts';
import { requestOfKind } from './body-kind.ts';
import { prepareStored } from './converted-storage.ts';
import { decodeBody } from './decode-body.ts';
import { getObject, refuseExport } from './get.ts';
import { checkName, settleNamespace } from './object-metadata.ts';
import { dropRepeatedOwners } from './owner-references.ts';
import { writer } from './ownership.ts';
import { type PatchBody, patchedValue } from './patch.ts';
import { prepareUpdate } from './prepare-update.ts';
import type { Registry } from './registry.ts';
import { inReleaseWords } from './release-errors.ts';
import type { RequestBody, ResourceRequest, StoredObject } from './resource-request.ts';
import { checkStored } from './store-preconditions.ts';
import { readStored } from './stored-form.ts';
import { Write, type WriteContext } from './write.ts';
import { updateStored } from './write-object.ts';
import { type WriteOptions, writeOptions } from './write-options.ts';

const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

const SCALE_TYPE = builtinType('autoscaling', 'v1', 'Scale');

/** Whether a subresource uses Scale objects. */
export function isScale({ kind }: Subresource): boolean {
  return kind === 'Scale';
}

/** @throws ApiError 400 for a refused parameter, 404 */
export async function getScale(registry: Registry, request: ResourceRequest): Promise<ApiObject> {
  refuseExport(request);
  const object = await readObject(request.definition, await scaledObject(registry, request));
  const { scale: paths } = request.definition;
  const scale = scaleOf(object, paths);
  if (paths !== undefined && at(object, ...paths.specReplicas) === undefined) {
    throw errors.internal(`the spec replicas field ".${paths.specReplicas.join('.')}" does not exist`);
  }
  return scale;
}

async function scaledObject(registry: Registry, request: ResourceRequest): Promise<StoredObject> {
  const { group, subresources } = request.definition;
  try {
    return await getObject(registry, request);
  } catch (error) {
    const resource = ownMember(subresources, request.subresource)?.missingAs;
    if (resource === undefined || !(error instanceof ApiError) || error.code !== 404) throw error;
    throw errors.notFound({ group, resource, name: request.name });
  }
}

async function readObject(definition: ResourceDefinition, stored: StoredObject): Promise<ApiObject> {
  await prepareStored(definition, [stored]);
  return readStored(definition, stored);
}

/** @throws ApiError 400, 404, 409 and 422 */
export async function updateScale(
  context: WriteContext,
  request: ResourceRequest,
  body: RequestBody,
): Promise<ApiObject> {
  const options = writeOptions(request, 'UpdateOptions');
  const scale = decodedScale(new Write(context, requestOfKind(request, SCALE), options), request, body);
  settleNamespace(request, scale);
  checkName(request, scale);
  dropRepeatedOwners(request, scale);
  return writeScale(context, request, { options, isWhole: true, next: tracked(context, request, () => scale) });
}

function decodedScale(write: Write, { definition }: ResourceRequest, body: RequestBody): ApiObject {
  try {
    return decodeBody(write, body);
  } catch (error) {
    // The registry of types that kube-apiserver asks for the words of its message has no custom resource's Scale.
    if (definition.scale === undefined || !(error instanceof ApiError) || error.code !== 400) throw error;
    throw errors.badRequest(`no kind is registered for the type v1.Scale ${inScheme(definition.minor)}`);
  }
}

/** @throws ApiError 400, 404, 409 and 422 */
export async function patchScale(
  context: WriteContext,
  request: ResourceRequest,
  patch: PatchBody,
): Promise<ApiObject> {
  const options = writeOptions(request, 'PatchOptions');
  const write = new Write(context, requestOfKind(request, SCALE), options);
  return writeScale(context, request, {
    options,
    next: tracked(context, request, (scale, managers) => {
      // A patch of a Scale sees its managedFields; the response omits them.
      return patchedValue({ write, current: withManagers({ scale, managers }), patch });
    }),
  });
}

/** A Scale and its managedFields. */
interface OwnedScale {
  readonly scale: ApiObject;
  readonly managers: readonly Manager[];
}

interface ScaleWrite {
  readonly options: WriteOptions;
  /** Whether the client sent the whole Scale: its UID is then a precondition. */
  readonly isWhole?: true;
  readonly next: (current: OwnedScale) => Soon<OwnedScale>;
}

/** Makes the writer the manager of what it changes in a Scale; replicas without an owner remain so. */
function tracked(
  context: WriteContext,
  request: ResourceRequest,
  next: (current: ApiObject, managers: readonly Manager[]) => ApiObject,
) {
  return ({ scale: current, managers }: OwnedScale): OwnedScale => {
    const scale = next(current, managers);
    // managedFields from the client are ignored.
    scale.metadata.managedFields = undefined;
    if (managers.length === 0) return { scale, managers };
    const update = { ...writer(context.registry.times, request), convert: () => undefined, ignored: undefined };
    const change = { live: typedScale(current), next: typedScale(scale) };
    return { scale, managers: managersAfterUpdate({ ...update, ...change }, managers) };
  };
}

export function typedScale(scale: JsonObject): TypedObject {
  return { apiVersion: SCALE_VERSION, type: valueTypeOf(SCALE_TYPE), value: scale };
}

/** Updates the replicas of a workload through its Scale. @throws ApiError 404, 409 and 422 */
export async function writeScale(
  context: WriteContext,
  request: ResourceRequest,
  { options, isWhole, next }: ScaleWrite,
): Promise<ApiObject> {
  const { definition, version } = request;
  const asked = new Write(context, requestOfKind(request, SCALE), options);
  const write = new Write(context, { ...request, subresource: '' }, options);
  const scaledObject = {
    apiVersion: apiVersionOf({ group: definition.group, version: version.version }),
    replicas: definition.scale?.specReplicas.map(fieldElement) ?? REPLICAS,
  };
  const written = await updateStored(write, {
    change: async (previous) => {
      const owners = readManagers(previous.metadata.managedFields);
      const current = {
        scale: scaleToChange(previous, definition.scale),
        managers: scaleManagers(owners, scaledObject),
      };
      const { scale, managers } = await next(current);
      settleNamespace(request, scale);
      checkName(request, scale);
      checkReplicas(scale, definition.scale);
      const { uid = '' } = scale.metadata;
      if (isWhole) checkStored(request, { uid, resourceVersion: undefined, dryRun: options.dryRun }, previous);
      scale.metadata.managedFields = writeManagers(managers);
      const scaled = copyJson(previous);
      const transfer = () => {
        if (definition.scale === undefined) checkScale(context, request, { next: scale, previous });
        const { resourceVersion = '', managedFields } = scale.metadata;
        if (resourceVersion !== '') scaled.metadata.resourceVersion = resourceVersion;
        setReplicas(scaled, definition.scale?.specReplicas ?? SPEC_REPLICAS, replicasOf(scale));
        const scaling = managersAfterScale(owners, readManagers(managedFields), scaledObject);
        scaled.metadata.managedFields = writeManagers(scaling);
      };
      const shown = { subresource: 'scale', object: scale, previous: withManagers(current) };
      const judged = () => ({
        subresource: 'scale',
        object: scaleOf(scaled, definition.scale),
        previous: scaleOf(previous, definition.scale),
      });
      return {
        next: await prepareUpdate(write, {
          ...{ next: scaled, previous, ownershipSettled: true, shown, transfer, judged },
          replace: replacing(asked, scale, { isCustomScale: definition.scale !== undefined }),
        }),
      };
    },
  });
  return scaleOf(await readObject(definition, written.object), definition.scale);
}

function withManagers({ scale, managers }: OwnedScale): ApiObject {
  return { ...scale, metadata: { ...scale.metadata, managedFields: writeManagers(managers) } };
}

function anotherUid({ definition, name }: ResourceRequest, uid: string, { metadata }: ApiObject) {
  const resource = `${definition.resource}/scale`;
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
  return errors.conflict({ group: definition.group, resource, name }, why);
}

const SPEC_REPLICAS: readonly string[] = ['spec', 'replicas'];

function replicasOf({ spec }: ApiObject): number {
  return ((spec as JsonObject | undefined)?.replicas as number | undefined) ?? 0;
}

/** @throws ApiError 500 if something on the path is not an object */
function setReplicas(object: JsonObject, path: readonly string[], replicas: number): void {
  let here = object;
  for (const [index, name] of path.slice(0, -1).entries()) {
    const inner = ownMember(here, name);
    if (inner !== undefined && !isObject(inner)) {
      const place = `.${path.slice(0, index + 1).join('.')}`;
      throw errors.unexplained(`value cannot be set because ${place} is not a map[string]interface{}`);
    }
    here = objectIn(here, name);
  }
  here[path.at(-1) as string] = replicas;
}

/** The first minor release of Kubernetes 1 that does not validate the metadata of a Scale. */
const WITHOUT_METADATA = 37;

/** @throws ApiError 409 for another UID, 422 */
function checkScale(
  { registry }: WriteContext,
  request: ResourceRequest,
  { next, previous }: { next: ApiObject; previous: ApiObject },
): void {
  const replicas = replicasOf(next);
  const why = 'must be greater than or equal to 0';
  const negative = () => coveredByDeclaration(fieldError.invalid('spec.replicas', replicas, why), 'minimum');
  // From 1.37 on most of the metadata is ignored; it is dropped in any case.
  const rulesOfMetadata = { namespaced: true, nameRule: 'subdomain', path: 'metadata', anyFinalizer: false } as const;
  let found: FieldErrors = joined(
    isSince(request.definition, WITHOUT_METADATA)
      ? validateManagedFields(next.metadata.managedFields, 'metadata.managedFields')
      : validateObjectMeta(next.metadata, rulesOfMetadata),
    replicas < 0 ? [negative()] : NONE,
  );
  const isKnown = optsIn(request.definition.storage.schema, 'scale');
  const rules = registry.strategyContext(request.user);
  const old = scaleOf(previous, undefined);
  found = withDeclaredRules(found, { type: SCALE_TYPE, next, previous: old, context: rules, isKnown });
  if (found.length > 0) {
    const place = { group: 'autoscaling', kind: 'Scale', name: request.name };
    throw errors.invalid(place, inReleaseWords(found, request.definition));
  }
  const { uid = '' } = next.metadata;
  if (uid !== '' && uid !== previous.metadata.uid) throw anotherUid(request, uid, previous);
}

/** The Scale of a workload: built-in kinds have the same paths, custom resources those in their definition. */
function scaleOf(object: ApiObject, paths: ScalePaths | undefined): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const { replicas, present, selector } = paths === undefined ? ownScale(object) : foundScale(object, paths);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: present, ...(selector === '' ? {} : { selector }) },
  };
}

/** What changes see for the replicas of a custom object that has none, as in Kubernetes: the smallest int32. */
const NO_REPLICAS = -(2 ** 31);

/** The Scale that a patch is applied to. */
function scaleToChange(object: ApiObject, paths: ScalePaths | undefined): ApiObject {
  const scale = scaleOf(object, paths);
  const hasReplicas = paths === undefined || at(object, ...paths.specReplicas) !== undefined;
  return hasReplicas ? scale : { ...scale, spec: { replicas: NO_REPLICAS } };
}

/** @throws ApiError 400 for a custom object without replicas that the change does not set either */
function checkReplicas(scale: ApiObject, paths: ScalePaths | undefined): void {
  if (paths === undefined || replicasOf(scale) !== NO_REPLICAS) return;
  throw errors.badRequest(`the spec replicas field ".${paths.specReplicas.join('.')}" cannot be empty`);
}

/** @throws ApiError 500 without a reason for values of wrong types */
function foundScale(object: ApiObject, { specReplicas, statusReplicas, labelSelector }: ScalePaths) {
  const fault =
    accessorFault(object, specReplicas, 'int64') ??
    accessorFault(object, statusReplicas, 'int64') ??
    (labelSelector === undefined ? undefined : accessorFault(object, labelSelector, 'string'));
  if (fault !== undefined) throw errors.unexplained(fault);
  return {
    replicas: at(object, ...specReplicas) ?? 0,
    present: at(object, ...statusReplicas) ?? 0,
    selector: labelSelector === undefined ? '' : textAt(object, ...labelSelector),
  };
}

function ownScale(object: ApiObject) {
  const spec = object.spec as JsonObject | undefined;
  const status = object.status as JsonObject | undefined;
  return {
    replicas: spec?.replicas ?? 0,
    present: status?.replicas ?? 0,
    selector: selectorText(spec?.selector as JsonObject | null | undefined),
  };
}

/** A selector as a string: from a plain map of labels, or from labels and expressions. */
function selectorText(selector: JsonObject | null | undefined): string {
  if (selector === undefined || selector === null) return '';
  const structured = 'matchLabels' in selector || 'matchExpressions' in selector;
  const labels = (structured ? (selector.matchLabels ?? {}) : selector) as Record<string, string>;
  const parts = Object.keys(labels).map((key) => ({ key, text: `${key}=${labels[key]}` }));
  const expressions = structured ? ((selector.matchExpressions ?? []) as unknown as Expression[]) : [];
  for (const expression of expressions) parts.push({ key: expression.key, text: expressionText(expression) });
  return parts
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ text }) => text)
    .join(',');
}

interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

function expressionText({ key, operator, values = [] }: Expression): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${[...values].sort().join(',')})`;
}
