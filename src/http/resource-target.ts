// Lookup of the resource and subresource in a path, and whether the method is allowed there. There are no registered
// routes: everything is looked up in the catalog.

import { errors } from '../api/errors.ts';
import { replacementOf } from '../resources/builtin/removed-kinds.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { ResourceDefinition, ServedVersion, Subresource } from '../resources/definition.ts';
import { METHOD_VERBS, type RequestInfo } from './request-info.ts';

export interface ResourceTarget {
  readonly definition: ResourceDefinition;
  readonly version: ServedVersion;
  readonly namespace: string;
  readonly name: string;
  /** Undefined for the resource itself. */
  readonly subresource: Subresource | undefined;
}

/**
 * Resolves a resource path.
 * @returns undefined if the group is not served
 * @throws ApiError 404 if nothing is served at the path, 405 for unsupported methods, 500 for definitions that cannot
 *   be served
 */
export function resourceTarget(catalog: Catalog, info: RequestInfo, method: string): ResourceTarget | undefined {
  // The core group has its own prefix.
  if (info.prefix === 'apis' && info.group === '') return undefined;
  const found = info.verb === 'proxy' ? undefined : catalog.lookup(info.group, info.version, info.resource);
  if (found === undefined) {
    if (!catalog.hasGroup(info.group) || catalog.isCustom(info.group)) {
      if (catalog.isBlocked(info.group, info.version, info.resource)) throw errors.internal('error resolving resource');
      return undefined;
    }
    // A client of a release that had this resource is told what has replaced it.
    const isOfTheTime = catalog.hasVersion(info.group, info.version);
    throw errors.noSuchPath(isOfTheTime ? replacementOf(info.group, info.version, info.resource) : undefined);
  }
  const { definition, version } = found;
  if (!definition.codec.hasRoutes) return customTarget({ definition, version }, info);
  const namespace = scopeOf(definition, info);
  const { name, subresource } = info;
  const known = Object.hasOwn(definition.subresources, subresource) ? definition.subresources[subresource] : undefined;
  if (subresource !== '' && known === undefined) throw errors.noSuchPath();
  if (info.rest.length > 0 && subresource !== 'proxy') throw errors.noSuchPath();
  if (info.oldWatch && (subresource !== '' || !definition.verbs.includes('watch'))) throw errors.noSuchPath();
  // The deprecated watch paths are read-only.
  if (info.oldWatch && method !== 'GET') throw errors.methodNotAllowed();
  const verbs: readonly string[] = known?.verbs ?? definition.verbs;
  // Resources that are not stored have no object paths.
  if (name !== '' && verbs.length === 1 && known === undefined && verbs[0] === 'create') throw errors.noSuchPath();
  // Watches of list-only resources are rejected later, because the resource exists.
  const verb = info.verb === 'watch' && verbs.includes('list') ? 'list' : info.verb;
  const isProxied = subresource === 'proxy' && (method === 'HEAD' || method === 'OPTIONS');
  const methodServed = METHODS.has(method) && verbs.includes(verb);
  if (name === '' && known?.verbs.includes(METHOD_VERBS[method] ?? '') === true) {
    throw errors.badRequest('name must be provided');
  }
  if (!methodServed && !isProxied) throw errors.methodNotAllowed();
  const onCollection = known === undefined && ON_COLLECTIONS.has(info.verb) && !(info.oldWatch && name !== '');
  if ((name === '') !== onCollection) throw errors.methodNotAllowed();
  const crossesNamespaces = definition.namespaced && namespace === '' && !mayLackNamespace(info);
  if (methodServed && lacksNamespace(definition, info)) throw errors.badRequest('Namespace parameter required.');
  if (crossesNamespaces) throw errors.methodNotAllowed();
  checkSegment(name);
  return { definition, version, namespace, name, subresource: known };
}

/** Whether a path has an empty segment in place of a required namespace. */
function lacksNamespace({ namespaced }: ResourceDefinition, info: RequestInfo): boolean {
  return namespaced && hasNamespaceSegment(info) && info.namespace === '' && !mayLackNamespace(info);
}

/** Lists then span all namespaces; creates are rejected for the missing namespace. */
function mayLackNamespace(info: RequestInfo): boolean {
  const { verb } = info;
  return verb === 'list' || verb === 'watch' || (verb === 'create' && hasNamespaceSegment(info));
}

function hasNamespaceSegment({ parts }: RequestInfo): boolean {
  return parts[0] === 'namespaces' && parts.length > 2;
}

/**
 * Custom resources are less strict about their paths, and have other error messages.
 * @returns undefined if neither the scope nor the method fits the path
 * @throws ApiError 400, 404 and 405
 */
function customTarget(
  { definition, version }: Pick<ResourceTarget, 'definition' | 'version'>,
  info: RequestInfo,
): ResourceTarget | undefined {
  const { group, resource, namespaced } = definition;
  const { name, subresource, verb } = info;
  const inNamespace = hasNamespaceSegment(info) && (!namespaced || info.namespace !== '');
  const acrossAll = name === '' && (verb === 'list' || verb === 'watch');
  if (namespaced ? !inNamespace && !acrossAll : inNamespace) return undefined;
  const known = Object.hasOwn(definition.subresources, subresource) ? definition.subresources[subresource] : undefined;
  // Segments after a subresource are ignored.
  if (subresource !== '' && known === undefined) throw errors.notFound({ group, resource, name });
  const verbs: readonly string[] = known?.verbs ?? definition.verbs;
  if (!verbs.includes(verb)) throw errors.notSupportedOn(verb, { group, resource });
  if (name === '' && verb === 'update') throw errors.badRequest('name must be provided');
  const namespace = inNamespace ? info.namespace : '';
  return { definition, version, namespace, name: verb === 'create' ? '' : name, subresource: known };
}

/** Rejects names that have a special meaning in paths. @throws ApiError 400 */
function checkSegment(name: string): void {
  const found =
    name === '.' || name === '..'
      ? [`may not be '${name}'`]
      : ['/', '%'].filter((character) => name.includes(character)).map((character) => `may not contain '${character}'`);
  if (found.length > 0) throw errors.badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${found.join(';')}`);
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const ON_COLLECTIONS = new Set(['list', 'create', 'deletecollection', 'watch']);

/** The namespace of a request. @throws ApiError 404 if the scope of the resource does not match */
function scopeOf(definition: ResourceDefinition, info: RequestInfo): string {
  const inNamespace =
    info.parts[0] === 'namespaces' &&
    info.parts.length > 2 &&
    (info.resource !== 'namespaces' || info.parts[2] === 'namespaces');
  if (!definition.namespaced) {
    if (inNamespace) throw errors.noSuchPath();
    return '';
  }
  // Only lists can span all namespaces.
  if (!inNamespace && (info.name !== '' || !definition.verbs.includes('list'))) throw errors.noSuchPath();
  return inNamespace ? info.namespace : '';
}
