// The parameter objects of a binding.

import { apiVersionOf, type GroupVersion, parseApiVersion } from '../../api/group-version.ts';
import { isObject } from '../../api/is-object.ts';
import { labelSelectorOf } from '../../api/label-selector.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import type { Catalog } from '../../resources/catalog.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';
import { inVersion } from '../../resources/in-version.ts';
import { at, textAt } from '../../resources/value.ts';
import type { ObjectLookup } from '../object-lookup.ts';

/** Why a policy or a binding cannot be evaluated as configured. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/** The kind of a policy's parameters. */
export interface ParameterKind extends GroupVersion {
  readonly kind: string;
  readonly definition: ResourceDefinition;
}

/**
 * The kind of a policy's parameters; undefined for none.
 * @throws ConfigurationError if the kind is not served
 */
export function parameterKind(spec: Json | undefined, catalog: Catalog): ParameterKind | undefined {
  const named = at(spec, 'paramKind');
  if (!isObject(named)) return undefined;
  const [apiVersion, kind] = [textAt(named, 'apiVersion'), textAt(named, 'kind')];
  const { group, version } = parseApiVersion(apiVersion) ?? { group: '', version: '' };
  const versions = catalog.groups.find((each) => each.group === group)?.versions ?? [];
  const entries = versions.find((each) => each.version === version)?.entries ?? [];
  const definition = entries.find((entry) => entry.definition.kind === kind)?.definition;
  if (definition !== undefined) return { group, version, kind, definition };
  throw new ConfigurationError(`failed to find resource referenced by paramKind: '${apiVersion}, Kind=${kind}'`);
}

interface ParameterChoice {
  readonly kind: ParameterKind | undefined;
  /** `paramRef` of the binding. */
  readonly reference: Json | undefined;
  /** The namespace of the request. */
  readonly namespace: string;
}

/**
 * The parameters of a policy, in order: null without parameters, empty if nothing is found and that is allowed.
 * @throws ConfigurationError
 */
export async function parameters(
  { kind, reference, namespace }: ParameterChoice,
  objects: ObjectLookup,
): Promise<readonly (ApiObject | null)[]> {
  if (kind === undefined || !isObject(reference)) return [null];
  const place = placeOf(kind, textAt(reference, 'namespace'), namespace);
  const name = textAt(reference, 'name');
  const found = await (name === ''
    ? objectsBySelector(reference, { kind, place, objects })
    : objectsByName(name, { kind, place, objects }));
  if (found.length === 0 && textAt(reference, 'parameterNotFoundAction') === 'Deny') {
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return Promise.all(found.map((object) => inPolicyVersion(object, kind)));
}

function placeOf({ definition }: ParameterKind, wanted: string, own: string): string {
  if (!definition.namespaced) {
    if (wanted === '') return '';
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  if (wanted !== '' || own !== '') return wanted || own;
  throw new ConfigurationError(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  );
}

interface Source {
  readonly kind: ParameterKind;
  /** The namespace of the parameters; '' for cluster-scoped kinds. */
  readonly place: string;
  readonly objects: ObjectLookup;
}

async function objectsByName(name: string, { kind, place, objects }: Source): Promise<ApiObject[]> {
  const found = await objects.find(kind.definition, place, name);
  return found === undefined ? [] : [found];
}

async function objectsBySelector(reference: JsonObject, { kind, place, objects }: Source): Promise<ApiObject[]> {
  const selector = labelSelectorOf(at(reference, 'selector') as JsonObject | undefined);
  const all = await objects.all(kind.definition, kind.definition.namespaced ? place : undefined);
  return all.filter((object) => selector.matches(object.metadata.labels));
}

/** A stored object in the version that the policy uses. */
async function inPolicyVersion(object: ApiObject, { definition, group, version }: ParameterKind): Promise<ApiObject> {
  const apiVersion = apiVersionOf({ group, version });
  const { conversion } = definition.storedForm ?? {};
  if (conversion !== undefined && object.apiVersion !== apiVersion) return conversion.convert(object, apiVersion);
  return inVersion(definition, version, object);
}
