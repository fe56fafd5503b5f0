// Request info: verb and attributes of a request, derived from its method and path by Kubernetes' rules before anything
// is looked up. Used by authorization, metrics and audit.

import { lookup } from '../base/lookup.ts';
import { percentDecoded } from '../base/percent-escapes.ts';

export interface RequestInfo {
  /** Whether the path has the form of a resource path, unlike discovery documents and health checks. */
  readonly isResource: boolean;
  /** Kubernetes' verb for resources (get, list, watch, create …); the method in lower case for other paths. */
  readonly verb: string;
  /** The path without its query, percent escapes resolved. */
  readonly path: string;
  /** `api` or `apis`. */
  readonly prefix: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Segments after the subresource, which a proxy forwards; only the first few. */
  readonly rest: readonly string[];
  /** The first segments of the resource path: namespaces/x/pods/y. Doubled slashes produce empty segments. */
  readonly parts: readonly string[];
  /** A deprecated path such as /api/v1/watch/… */
  readonly oldWatch: boolean;
}

/** Kubernetes' verbs for objects by method. */
export const METHOD_VERBS: Record<string, string> = lookup({
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
});

/** Verbs in deprecated paths, whatever the method. Proxies are no longer served there. */
const SPECIAL_VERBS = new Set(['watch', 'proxy']);

/** Subresources of namespaces; any other segment after a namespace's name is a resource in it. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/**
 * @param target path without query, percent escapes not yet decoded
 * @param watch whether the query requests a watch
 * @param fieldName the name selected by a field selector, for verbs on collections
 */
export function requestInfo(method: string, target: string, watch: boolean): RequestInfo {
  // Escapes are resolved before the path is split, so an escaped slash separates segments, even next to bytes that are not
  // UTF-8. A server that the request is forwarded to splits the path in the same way.
  const path = percentDecoded(target) ?? target;
  const segments = split(path);
  const prefix = segments[0] ?? '';
  const grouped = prefix === 'apis';
  if ((prefix !== 'api' && !grouped) || segments.length < (grouped ? 4 : 3)) return plain(method, path, segments);
  const group = grouped ? (segments[1] ?? '') : '';
  const version = segments[grouped ? 2 : 1] ?? '';
  let parts = segments.slice(grouped ? 3 : 2);
  const special = parts.length > 1 && SPECIAL_VERBS.has(parts[0]!) ? parts[0]! : undefined;
  if (special !== undefined) parts = parts.slice(1);
  const oldWatch = special === 'watch';
  const { namespace, resource, name, ...below } = locate(parts);
  const { subresource, rest } = special === 'proxy' ? { subresource: '', rest: [] } : below;
  let verb = METHOD_VERBS[method] ?? '';
  if (name === '' && verb === 'get') verb = watch ? 'watch' : 'list';
  if (name === '' && method === 'DELETE') verb = 'deletecollection';
  if (special !== undefined) verb = special;
  const isResource = true;
  return {
    isResource,
    verb,
    path,
    prefix,
    group,
    version,
    namespace,
    resource,
    subresource,
    name,
    rest,
    parts,
    oldWatch,
  };
}

/** Whether a path has the verb of a watch or proxy but no resource. */
export function lacksResource({ isResource, parts }: RequestInfo): boolean {
  return isResource && parts.length === 1 && SPECIAL_VERBS.has(parts[0]!);
}

function plain(method: string, path: string, parts: readonly string[]): RequestInfo {
  const nothing = { group: '', version: '', namespace: '', resource: '', subresource: '', name: '', rest: [] };
  return {
    isResource: false,
    verb: method.toLowerCase(),
    path,
    prefix: parts[0] ?? '',
    parts,
    oldWatch: false,
    ...nothing,
  };
}

const SLASH = 47;

/** More than the parts of a request that a path can name; whatever follows is forwarded as it is. */
const MOST_SEGMENTS = 16;

/** The first segments of a path; slashes at both ends are ignored, consecutive ones in between produce empty segments. */
function split(path: string): string[] {
  let [start, end] = [0, path.length];
  while (start < end && path.charCodeAt(start) === SLASH) start++;
  while (end > start && path.charCodeAt(end - 1) === SLASH) end--;
  return path.slice(start, end).split('/', MOST_SEGMENTS);
}

interface Place {
  readonly namespace: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  readonly rest: readonly string[];
}

function locate(parts: readonly string[]): Place {
  const [first = '', second = '', third = ''] = parts;
  if (first === 'namespaces' && parts.length > 2 && !(NAMESPACE_SUBRESOURCES.has(third) && parts.length === 3)) {
    return place(parts.slice(2), second);
  }
  // A namespace is its own scope: namespaces/x is authorized in namespace x.
  return place(parts, first === 'namespaces' ? second : '');
}

function place(parts: readonly string[], namespace: string): Place {
  const [resource = '', name = '', subresource = '', ...rest] = parts;
  return { namespace, resource, name, subresource, rest };
}
