// The parameters of the API's paths and queries. Each is one object, so that the same parameter is known by identity.

import type { Node, StructNode } from '../../schema/node.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
}

const query = (type: Parameter['type'], description: string) => ({ in: 'query' as const, type, description });
const path = (description: string) => ({ in: 'path' as const, type: 'string' as const, description });

const NAMED = {
  allowWatchBookmarks: query('boolean', 'Lets a watch send bookmarks: events that only tell the resource version.'),
  continue: query('string', 'Where a list that came in pages goes on: the token of the page before.'),
  fieldSelector: query('string', 'Only objects whose fields have these values.'),
  labelSelector: query('string', 'Only objects whose labels match.'),
  limit: query('integer', 'How many objects a page of the list has at the most.'),
  pretty: query('string', 'Indents the answer when it is true.'),
  resourceVersion: query('string', 'The version of the collection that is asked for.'),
  resourceVersionMatch: query('string', 'How resourceVersion is meant: Exact or NotOlderThan.'),
  sendInitialEvents: query('boolean', 'Lets a watch begin with the objects that there are, and a bookmark after them.'),
  timeoutSeconds: query('integer', 'After how many seconds the server ends a watch or gives a list up.'),
  watch: query('boolean', 'Follows changes instead of answering with a list.'),
  dryRun: query('string', 'With All everything is done but storing.'),
  fieldManager: query('string', 'Who is to be named as the owner of the fields that the request sets.'),
  fieldValidation: query('string', 'What becomes of unknown and duplicate fields: Ignore, Warn or Strict.'),
  force: query('boolean', 'Lets an apply take fields from other managers.'),
  gracePeriodSeconds: query('integer', 'How many seconds the object has to end in; 0 deletes at once.'),
  ignoreStoreReadErrorWithClusterBreakingPotential: query('boolean', 'Deletes an object that can no longer be read.'),
  orphanDependents: query('boolean', 'The older form of propagationPolicy: whether dependents stay.'),
  propagationPolicy: query('string', 'What becomes of dependents: Orphan, Background or Foreground.'),
} as const satisfies Record<string, Omit<Parameter, 'name'>>;

type QueryParameterName = keyof typeof NAMED;

const PARAMETERS = Object.freeze(
  Object.fromEntries(Object.entries(NAMED).map(([name, facts]) => [name, Object.freeze({ name, ...facts })])),
) as Readonly<Record<QueryParameterName, Parameter>>;

const pick = (...names: QueryParameterName[]): readonly Parameter[] => names.map((name) => PARAMETERS[name]);

export const NAME: Parameter = { name: 'name', ...path("The object's name.") };
export const NAMESPACE: Parameter = { name: 'namespace', ...path("The object's namespace.") };
export const PROXY_PATH: Parameter = { name: 'path', ...path('The path behind the proxy.') };

export const PRETTY: Parameter = PARAMETERS.pretty;

/** Those that many paths have and that version 2 holds once. Older clients look for the other ones in the operations. */
export const SHARED_PARAMETERS: ReadonlySet<Parameter> = new Set(
  [...Object.values(PARAMETERS), NAMESPACE, PROXY_PATH].filter(
    ({ name }) => name !== 'dryRun' && name !== 'fieldValidation',
  ),
);

const SELECTION = pick(
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
);
/** Of lists and watches. */
export const LIST_OPTIONS: readonly Parameter[] = [...pick('allowWatchBookmarks', 'watch'), ...SELECTION];
/** Of creating and replacing. */
export const WRITE_OPTIONS: readonly Parameter[] = pick('dryRun', 'fieldManager', 'fieldValidation');
export const PATCH_OPTIONS: readonly Parameter[] = [...WRITE_OPTIONS, ...pick('force')];
export const DELETE_OPTIONS: readonly Parameter[] = pick(
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'propagationPolicy',
);
export const DELETE_COLLECTION_OPTIONS: readonly Parameter[] = [...SELECTION, ...DELETE_OPTIONS];

const TYPES: Readonly<Partial<Record<Node['kind'], Parameter['type']>>> = Object.freeze({
  string: 'string',
  bool: 'boolean',
  int32: 'integer',
  int64: 'integer',
});

/** The members of an options type as parameters of the query; members that no query can hold are left out. */
export function optionsParameters(options: StructNode): Parameter[] {
  const parameters: Parameter[] = [];
  for (const { name, node } of options.jsonFields.values()) {
    const type = TYPES[node.kind === 'list' ? node.items.kind : node.kind];
    if (type === undefined || name === 'kind' || name === 'apiVersion') continue;
    parameters.push({ name, in: 'query', type, description: `Option ${name} of ${options.kinds[0] ?? options.name}.` });
  }
  return parameters;
}
