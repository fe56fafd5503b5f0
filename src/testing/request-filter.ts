// Filter of requests in tests: by what they ask for, and by who asks.

import type { RequestContext } from '../http/request-context.ts';

/** What is not given does not matter. Each may be one value or several. */
export interface RequestFilter {
  /** Kubernetes' verb: get, list, watch, create, update, patch, delete, deletecollection. */
  readonly verb?: string | readonly string[];
  readonly group?: string | readonly string[];
  /** The plural name, as `configmaps`. */
  readonly resource?: string | readonly string[];
  /**
   * As `status`; '' for the object itself, which is also meant where `resource` is given and this is not; `*` for
   * any.
   */
  readonly subresource?: string | readonly string[];
  readonly namespace?: string | readonly string[];
  /** The name in the path. That of an object to be created is not there. */
  readonly name?: string | readonly string[];
  /** The user's name, after impersonation. */
  readonly user?: string | readonly string[];
}

/** Who asks for what, as filters see it. */
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

export const FILTER_FIELDS = ['verb', 'group', 'resource', 'subresource', 'namespace', 'name', 'user'] as const;

export function factsOf({ info, user }: RequestContext): RequestFacts {
  const { verb, group, version, resource, subresource, namespace, name } = info;
  return { verb, group, version, resource, subresource, namespace, name, user: user.name };
}

export function fits(filter: RequestFilter, facts: RequestFacts): boolean {
  const subresource = filter.subresource ?? (filter.resource === undefined ? '*' : '');
  return FILTER_FIELDS.every((field) => {
    const wanted = field === 'subresource' ? subresource : filter[field];
    if (wanted === undefined || (field === 'subresource' && wanted === '*')) return true;
    return typeof wanted === 'string' ? wanted === facts[field] : wanted.includes(facts[field]);
  });
}

/** @throws TypeError naming what there is none of, for callers without types */
export function assertFields(given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new TypeError(`there is no ${unknown.join(', no ')}; there are ${known.join(', ')}`);
}
