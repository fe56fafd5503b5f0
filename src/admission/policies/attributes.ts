// An admission request as seen by policies: operation, resource and version, and the objects in any version that a
// policy uses.

import { apiVersionOf, type GroupVersion } from '../../api/group-version.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import type { User } from '../../auth/user.ts';
import { lookup } from '../../base/lookup.ts';
import type { Soon } from '../../base/soon.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';
import { inGroupVersion, inVersion, versionIn } from '../../resources/in-version.ts';
import type { AdmissionRequest } from '../chain.ts';
import { isOf, NAMESPACES } from '../resources.ts';

/** Resource and operation as matched by rules: `CREATE` of `deployments/scale` in `apps/v1`. */
export interface RequestTarget {
  readonly operation: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** '' for cluster-scoped objects; the namespace of a Namespace is its own name. */
  readonly namespace: string;
  readonly name: string;
}

export interface GroupVersionKind extends JsonObject {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A patch is an UPDATE. */
const OPTIONS: Readonly<Record<string, string>> = lookup({ create: 'CreateOptions', update: 'UpdateOptions' });

export class Attributes {
  readonly target: RequestTarget;
  readonly admission: AdmissionRequest;
  readonly #definition: ResourceDefinition;
  #equivalents: readonly RequestTarget[] | undefined;
  readonly #objects = new Map<string, { readonly object: Json; readonly previous: Json }>();

  constructor(admission: AdmissionRequest) {
    const { request, shown, operation } = admission;
    const { definition, namespace, name } = request;
    const ownName = name || (admission.object?.metadata?.name ?? '');
    this.admission = admission;
    this.#definition = definition;
    this.target = {
      operation: operation.toUpperCase(),
      group: definition.group,
      version: request.version.version,
      resource: definition.resource,
      subresource: shown?.subresource ?? request.subresource,
      namespace: definition.namespaced ? namespace : isOf(NAMESPACES, definition) ? ownName : '',
      name: ownName,
    };
  }

  /** The same request in the other versions of the resource, in any group. */
  get equivalents(): readonly RequestTarget[] {
    const { versions, alsoIn = [] } = this.#definition;
    this.#equivalents ??= [
      ...versions
        .filter(({ version }) => version !== this.target.version)
        .map(({ version }) => ({ ...this.target, version })),
      ...alsoIn.map(({ group, version }) => ({ ...this.target, group, version })),
    ];
    return this.#equivalents;
  }

  /** The options of the request as an object; null for a connect, whose object they are. */
  get options(): Json {
    const { operation, options, request } = this.admission;
    if (options !== undefined) return options;
    const kind = OPTIONS[operation];
    if (kind === undefined) return null;
    const said: JsonObject = { kind, apiVersion: 'meta.k8s.io/v1' };
    const dryRun = request.query.all('dryRun');
    if (dryRun.length > 0) said['dryRun'] = [...dryRun];
    for (const name of ['fieldManager', 'fieldValidation']) {
      if (request.query.text(name) !== '') said[name] = request.query.text(name);
    }
    return said;
  }

  /** The kind of a request's object, in one of its versions. */
  kindOf({ group, version, subresource }: RequestTarget): GroupVersionKind {
    const { kind, subresources } = this.#definition;
    const own = subresources[subresource];
    if (own !== undefined && own.version !== '') return { group: own.group, version: own.version, kind: own.kind };
    return { group, version, kind: own === undefined || own.kind === '' ? kind : own.kind };
  }

  /**
   * Prepares the objects in a version to which a webhook converts; undefined if nothing has to be waited for. @throws
   * ApiError 500
   */
  prepare(version: string): Soon<void> {
    const { group, storage, storedForm, kind } = this.#definition;
    const conversion = storedForm?.conversion;
    if (conversion === undefined || version === storage.version || this.#objects.has(version)) return undefined;
    const { object, previous } = this.admission;
    if (this.admission.shown !== undefined || (object ?? previous)?.kind !== kind) return undefined;
    const convert = async (each: ApiObject | undefined) =>
      each === undefined ? null : conversion.convert(each, apiVersionOf({ group, version }));
    return Promise.all([convert(object), convert(previous)]).then(([object, previous]) => {
      this.#objects.set(version, { object, previous });
    });
  }

  /** The objects of the request in a version, prepared if necessary; null for none. */
  objectsIn(wanted: GroupVersion): { readonly object: Json; readonly previous: Json } {
    const key = this.#keyOf(wanted);
    let objects = this.#objects.get(key);
    if (objects === undefined) {
      const { object, previous } = this.admission.shown ?? this.admission;
      objects = { object: this.#inVersion(object, wanted), previous: this.#inVersion(previous, wanted) };
      this.#objects.set(key, objects);
    }
    return objects;
  }

  /** The result of changing the object in the matched version, as a version of the resource's own group. */
  inOwnGroup(object: JsonObject, { group, version }: GroupVersion): { object: JsonObject; version: string } {
    const definition = this.#definition;
    if (group === definition.group) return { object, version };
    const foreign = versionIn(definition, { group, version });
    const stored = foreign?.conversion?.toStorage(copyJson(object) as ApiObject) ?? (object as ApiObject);
    return { object: inVersion(definition, this.target.version, stored), version: this.target.version };
  }

  #keyOf({ group, version }: GroupVersion): string {
    return group === this.#definition.group ? version : `${group}/${version}`;
  }

  /** The attributes of the request except its objects, for policies and webhooks, in the matched version. */
  requestAs(matched: RequestTarget): JsonObject {
    const { admission, target: asked } = this;
    const { group, version, resource, subresource, namespace, name } = matched;
    const { user } = admission.request;
    return withoutEmpty({
      kind: this.kindOf(matched),
      resource: { group, version, resource },
      subResource: subresource,
      requestKind: this.kindOf(asked),
      requestResource: { group: asked.group, version: asked.version, resource: asked.resource },
      requestSubResource: asked.subresource,
      name,
      namespace,
      operation: matched.operation,
      userInfo: withoutEmpty({
        username: user.name,
        uid: user.uid,
        groups: [...user.groups],
        ...extraOf(user),
      }),
      dryRun: admission.dryRun,
      options: this.options,
    });
  }

  /** Labels of the new and the old object, for object selectors. */
  get labels(): readonly (Readonly<Record<string, string>> | undefined)[] {
    const { object, previous } = this.admission.shown ?? this.admission;
    return [object, previous].flatMap((each) => (each?.metadata === undefined ? [] : [each.metadata.labels]));
  }

  #inVersion(object: ApiObject | undefined, wanted: GroupVersion): Json {
    if (object === undefined) return null;
    // Options and objects of subresources have a single version.
    if (object.kind !== undefined && object.kind !== this.#definition.kind) return object;
    return inGroupVersion(this.#definition, wanted, object);
  }
}

/** The extra of a user; absent if empty. */
function extraOf({ extra }: User): { extra?: JsonObject } {
  const known = Object.entries(extra).map(([key, values]) => [key, [...values]]);
  return known.length === 0 ? {} : { extra: Object.fromEntries(known) };
}

/** An object without empty fields. */
function withoutEmpty(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0)),
  );
}
