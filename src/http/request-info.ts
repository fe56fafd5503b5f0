// Request info: verb and attributes of a request, derived from its method and path by Kubernetes' rules before anything
// is looked up. Authorization, metrics and audit use them. The verb and the attributes that authorization, metrics and
// audit speak of come from here.

import { lookup } from '../base/lookup.ts';

export interface RequestInfo {
  /** Whether the path has the form of a resource's; discovery documents and health checks have not. */
  readonly isResource: boolean;
  /** Kubernetes' verb for resources (get, list, watch, create …), the method in lower case for other paths. */
  readonly verb: string;
  /** The path without its query. */
  readonly path: string;
  /** `api` or `apis`. */
  readonly prefix: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Segments behind the subresource: what a proxy forwards. */
  readonly rest: readonly string[];
  /** Segments of the resource path: namespaces/x/pods/y. Empty segments stand for doubled slashes. */
  readonly parts: readonly string[];
  /** A path of the old form /api/v1/watch/… */
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

/** Verbs that stand in paths of an old form, whatever the method. Nothing is served at those of proxies any more. */
const SPECIAL_VERBS = new Set(['watch', 'proxy']);

/** Subresources of namespaces; any other segment behind a namespace's name is a resource in it. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/**
 * @param path without query, percent escapes not yet resolved
 * @param watch whether the query asks for a watch
 * @param fieldName the name that a field selector pins, for the verbs on collections
 */
export function requestInfo(method: string, path: string, watch: boolean): RequestInfo {
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

/** Whether a path names the verb of a watch or of a proxy, and nothing that it would be of. */
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

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

const SLASH = 47;

/** Segments of a path; slashes at both ends are forgiven, others that follow one another leave empty segments. */
function split(path: string): string[] {
  let [start, end] = [0, path.length];
  while (start < end && path.charCodeAt(start) === SLASH) start++;
  while (end > start && path.charCodeAt(end - 1) === SLASH) end--;
  const text = path.slice(start, end);
  return (text.includes('%') ? unescapePath(text) : text).split('/');
}

const ESCAPES = /(?:%[0-9A-Fa-f]{2})+/g;

/**
 * The path without escapes. They are resolved before the path is taken apart: an escaped slash is one like others, also
 * beside bytes that are not UTF-8. Another server that the request is passed on to takes the path apart in the same way.
 */
function unescapePath(path: string): string {
  return path.replace(ESCAPES, (escapes) => {
    const bytes = Uint8Array.from(escapes.slice(1).split('%'), (byte) => Number.parseInt(byte, 16));
    return UTF8.decode(bytes);
  });
}

/** Whether a percent sign in a path begins no escape. */
export function hasBadEscape(path: string): boolean {
  return path.includes('%') && /%(?![0-9A-Fa-f]{2})/.test(path);
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
  // A namespace is its own scope: authorization for namespaces/x asks in namespace x.
  return place(parts, first === 'namespaces' ? second : '');
}

function place(parts: readonly string[], namespace: string): Place {
  const [resource = '', name = '', subresource = '', ...rest] = parts;
  return { namespace, resource, name, subresource, rest };
}
