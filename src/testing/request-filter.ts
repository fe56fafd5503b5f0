// Filter of requests in tests, by attributes and user.

import type { RequestContext } from '../http/request-context.ts';

/** The verb of a request. */
export type RequestVerb =
  | ('get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection')
  | ('post' | 'put' | 'head' | 'options');

/** Absent fields match everything. Each may be one value or several. */
export interface RequestFilter {
  /** Kubernetes' verb, and for other paths than those of objects the method of HTTP. */
  readonly verb?: RequestVerb | readonly RequestVerb[];
  readonly group?: string | readonly string[];
  /** The plural name, such as `configmaps`. */
  readonly resource?: string | readonly string[];
  /** Such as `status`; '' for the object itself, which is the default if `resource` is given; `*` for any. */
  readonly subresource?: string | readonly string[];
  readonly namespace?: string | readonly string[];
  /** The name in the path, which creates do not have. */
  readonly name?: string | readonly string[];
  /** The username, after impersonation. */
  readonly user?: string | readonly string[];
}

/** A request as seen by filters. */
export interface RequestFacts {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
}

/** @internal */
export const FILTER_FIELDS = ['verb', 'group', 'resource', 'subresource', 'namespace', 'name', 'user'] as const;

/** @internal */
export function factsOf({ info, user }: RequestContext): RequestFacts {
  const { verb, group, version, resource, subresource, namespace, name } = info;
  return { verb, group, version, resource, subresource, namespace, name, user: user.name };
}

/** @internal */
export function fits(filter: RequestFilter, facts: RequestFacts): boolean {
  const subresource = filter.subresource ?? (filter.resource === undefined ? '*' : '');
  return FILTER_FIELDS.every((field) => {
    const wanted = field === 'subresource' ? subresource : filter[field];
    if (wanted === undefined || (field === 'subresource' && wanted === '*')) return true;
    return typeof wanted === 'string' ? wanted === facts[field] : wanted.includes(facts[field]);
  });
}

/** @internal @throws TypeError for unknown fields, for callers without types */
export function assertFields(given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new TypeError(`there is no ${unknown.join(', no ')}; there are ${known.join(', ')}`);
}

/** Verbs of requests for objects, and for other paths, where they are the methods of HTTP. */
const VERBS: ReadonlySet<string> = new Set<RequestVerb>([
  ...(['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const),
  ...(['post', 'put', 'head', 'options'] as const),
]);

/** @internal @throws TypeError for verbs that no request has: such a filter would never match */
export function assertVerbs({ verb }: RequestFilter): void {
  const wrong = several(verb).find((each) => !VERBS.has(each));
  if (wrong !== undefined) throw new TypeError(`there is no verb ${wrong}; there are ${[...VERBS].join(', ')}`);
}

/** @internal */
export function several(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}
