// Parameters of paths and queries. Each is a single object, so that equal parameters are identical.

import type { Node, StructNode } from '../../schema/node.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
  /** The first minor release of Kubernetes 1 that has it. */
  readonly since?: number;
}

const query = (type: Parameter['type'], description: string) => ({ in: 'query' as const, type, description });
const path = (description: string) => ({ in: 'path' as const, type: 'string' as const, description });

const NAMED = {
  allowWatchBookmarks: query('boolean', 'Lets the watch send bookmarks: events that carry only a resource version.'),
  continue: query('string', 'The continue token of the previous page, to get the next one.'),
  fieldSelector: query('string', 'Restricts the list to objects whose fields match.'),
  labelSelector: query('string', 'Restricts the list to objects whose labels match.'),
  limit: query('integer', 'The maximum number of objects in one page of the list.'),
  pretty: query('string', 'Whether the response is indented.'),
  resourceVersion: query(
    'string',
    'The resource version that the response must have or be newer than; see resourceVersionMatch.',
  ),
  resourceVersionMatch: query('string', 'How resourceVersion is applied to a list: Exact or NotOlderThan.'),
  sendInitialEvents: query(
    'boolean',
    'Lets the watch begin with an event for each existing object, followed by a bookmark.',
  ),
  shardSelector: {
    ...query('string', 'Restricts the list to objects whose UIDs or namespaces have hashes in one of some ranges.'),
    since: 36,
  },
  timeoutSeconds: query('integer', 'The number of seconds after which the server ends the list or watch.'),
  watch: query('boolean', 'Streams changes instead of returning a list.'),
  dryRun: query('string', 'With All, the request is processed completely but nothing is stored.'),
  fieldManager: query('string', 'The name under which the fields that this request sets are owned.'),
  fieldValidation: query('string', 'How unknown and duplicate fields are handled: Ignore, Warn or Strict.'),
  force: query('boolean', 'Lets an apply request take over fields that other managers own.'),
  gracePeriodSeconds: query(
    'integer',
    'The number of seconds that the object has to terminate; 0 deletes it immediately.',
  ),
  ignoreStoreReadErrorWithClusterBreakingPotential: {
    ...query('boolean', 'Deletes the object even if it cannot be read from the store.'),
    since: 32,
  },
  orphanDependents: query('boolean', 'Whether dependents are orphaned. Deprecated: use propagationPolicy.'),
  propagationPolicy: query('string', 'How dependents are garbage collected: Orphan, Background or Foreground.'),
} as const satisfies Record<string, Omit<Parameter, 'name'>>;

type QueryParameterName = keyof typeof NAMED;

const PARAMETERS = Object.freeze(
  Object.fromEntries(Object.entries(NAMED).map(([name, facts]) => [name, Object.freeze({ name, ...facts })])),
) as Readonly<Record<QueryParameterName, Parameter>>;

/** Those of some parameters that a minor release of Kubernetes 1 has. */
export function inRelease(parameters: readonly Parameter[], minor: number): Parameter[] {
  return parameters.filter(({ since = 0 }) => since <= minor);
}

const pick = (...names: QueryParameterName[]): readonly Parameter[] => names.map((name) => PARAMETERS[name]);

export const NAMESPACE: Parameter = {
  name: 'namespace',
  ...path('object name and auth scope, such as for teams and projects'),
};
export const PROXY_PATH: Parameter = { name: 'path', ...path('path to the resource') };

export const LOG_PATH: Parameter = { name: 'logpath', ...path('path to the log') };

/** The name of an object of a kind. */
export function nameParameter(kind: string): Parameter {
  return { name: 'name', ...path(`name of the ${kind}`) };
}

export const PRETTY: Parameter = PARAMETERS.pretty;

/** Common parameters that v2 declares once. Older clients expect all others in the operations. */
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
  'shardSelector',
  'timeoutSeconds',
);
/** Of lists and watches. */
export const LIST_OPTIONS: readonly Parameter[] = [...pick('allowWatchBookmarks', 'watch'), ...SELECTION];
/** Of get, published only for custom resources. */
export const GET_OPTIONS: readonly Parameter[] = pick('resourceVersion');
/** Of create and update. */
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

/** The fields of an options type as query parameters, except those that a query cannot contain. */
export function optionsParameters(options: StructNode): Parameter[] {
  const parameters: Parameter[] = [];
  for (const { name, node } of options.jsonFields.values()) {
    const type = TYPES[node.kind === 'list' ? node.items.kind : node.kind];
    if (type === undefined || name === 'kind' || name === 'apiVersion') continue;
    parameters.push({ name, in: 'query', type, description: `Option ${name} of ${options.kinds[0] ?? options.name}.` });
  }
  return parameters;
}
