// The paths of one resource: its collection, objects, subresources, and the deprecated watch paths.

import { apiVersionOf, type GroupVersionKind } from '../../api/group-version.ts';
import { lookup } from '../../base/lookup.ts';
import type { StructNode } from '../../schema/node.ts';
import { builtinType } from '../builtin/types.ts';
import type { CatalogEntry } from '../catalog.ts';
import type { ResourceDefinition, Subresource } from '../definition.ts';
import { holdsIn } from '../strategy-rules.ts';
import {
  type BodyType,
  describePath,
  type Method,
  type OperationDescription,
  type PathDescription,
  type RequestBody,
  type SuccessCode,
} from './description.ts';
import { type MediaTypes, publishedMediaTypes } from './media-types.ts';
import { operationId, tagOf } from './names.ts';
import {
  DELETE_COLLECTION_OPTIONS,
  DELETE_OPTIONS,
  GET_OPTIONS,
  inRelease,
  LIST_OPTIONS,
  NAMESPACE,
  nameParameter,
  optionsParameters,
  PATCH_OPTIONS,
  type Parameter,
  PRETTY,
  PROXY_PATH,
  WRITE_OPTIONS,
} from './parameters.ts';
import { Patch } from './server-types.ts';

const DeleteOptions = builtinType('', 'v1', 'DeleteOptions');
const Status = builtinType('', 'v1', 'Status');
const WatchEvent = builtinType('', 'v1', 'WatchEvent');

/** Common facts for all paths of a resource. */
interface Resource {
  readonly definition: ResourceDefinition;
  readonly own: GroupVersionKind;
  /** `/apis/apps/v1` */
  readonly root: string;
  /** `/namespaces/{namespace}/deployments`, or `/nodes` for a cluster-scoped resource. */
  readonly collection: string;
  /** Parameters of the collection's path. */
  readonly scope: readonly Parameter[];
  readonly nameOfObject: Parameter;
  /** `NamespacedDeployment`, or `Node`. */
  readonly name: string;
  readonly type: BodyType;
  readonly listType: BodyType;
  readonly media: MediaTypes;
}

type Paths = (PathDescription | undefined)[];

/** The paths of one resource in one version. @param cbor whether the server supports CBOR */
export function resourcePaths(entry: CatalogEntry, cbor = false): PathDescription[] {
  const resource = describeResource(entry, cbor);
  const subresources = Object.entries(entry.definition.subresources);
  const paths: Paths = [
    ...collectionPaths(resource),
    objectPath(resource),
    ...subresources.flatMap(([name, subresource]) => subresourcePaths(resource, name, subresource)),
    // The deprecated watch paths of custom resources are served, but not published.
    ...(entry.definition.custom || !entry.definition.verbs.includes('watch') ? [] : watchPaths(resource)),
  ];
  return paths.filter((path) => path !== undefined);
}

function describeResource(entry: CatalogEntry, cbor: boolean): Resource {
  const { definition } = entry;
  const own = { group: definition.group, version: entry.version.version, kind: definition.kind };
  return {
    definition,
    own,
    root: `/${own.group === '' ? 'api' : 'apis'}/${apiVersionOf(own)}`,
    collection: `${definition.namespaced ? '/namespaces/{namespace}' : ''}/${definition.resource}`,
    scope: definition.namespaced ? [NAMESPACE] : [],
    nameOfObject: nameParameter(definition.kind),
    name: definition.namespaced ? `Namespaced${definition.kind}` : definition.kind,
    type: definition.custom ? { kind: 'object', entry } : entry.version.schema,
    listType: definition.custom ? { kind: 'list', entry } : listType(entry),
    media: publishedMediaTypes({ custom: definition.custom, cbor }),
  };
}

/** The type of a resource's list; the resource's own type if it can only be created. */
function listType({ definition, version }: CatalogEntry): StructNode {
  if (!definition.verbs.includes('list')) return version.schema;
  return version.listSchema ?? builtinType(definition.group, version.version, definition.listKind, definition.minor);
}

function collectionPaths(resource: Resource): Paths {
  const { root, collection, name, definition, type, scope } = resource;
  const { kind, resource: plural } = definition;
  const list = (name: string, parameters: readonly Parameter[]) =>
    operation(resource, 'list', {
      name,
      description: `${definition.custom || !definition.verbs.includes('watch') ? 'list' : 'list or watch'} objects of kind ${kind}`,
      parameters: [...parameters, ...inRelease(LIST_OPTIONS, definition.minor), PRETTY],
      produces: resource.media.lists,
      returns: resource.listType,
    });
  // For custom resources, only the options of the list are published, and not those of the deletion.
  const deletionOptions = definition.custom ? LIST_OPTIONS : DELETE_COLLECTION_OPTIONS;
  const deletion = operation(resource, 'deletecollection', {
    name: `Collection${name}`,
    description: `delete collection of ${kind}`,
    parameters: [...scope, ...inRelease(deletionOptions, definition.minor), PRETTY],
    body: definition.custom ? undefined : { type: DeleteOptions, required: false },
    returns: Status,
  });
  const everywhere = definition.namespaced
    ? describePath(`${root}/${plural}`, { get: list(`${kind}ForAllNamespaces`, []) })
    : undefined;
  return [
    describePath(root + collection, {
      get: list(name, scope),
      post: create(resource, { name, kind: resource.own, type, description: `create ${oneOf(kind)}` }, scope),
      delete: deletion,
    }),
    everywhere,
  ];
}

function objectPath(resource: Resource): PathDescription | undefined {
  const { name, definition, type } = resource;
  const target: Target = { name, kind: resource.own, type, what: `the specified ${definition.kind}` };
  const { returnsObject = false } = definition.strategy.deletion ?? {};
  const returns = returnsObject !== 'unpublished' && holdsIn(returnsObject, resource.own.version);
  const deletion = operation(resource, 'delete', {
    name,
    description: `delete ${oneOf(definition.kind)}`,
    parameters: [...objectParameters(resource), ...inRelease(DELETE_OPTIONS, definition.minor), PRETTY],
    body: { type: DeleteOptions, required: false },
    codes: [200, 202],
    returns: returns ? type : Status,
  });
  return describePath(`${resource.root}${resource.collection}/{name}`, {
    ...objectOperations(resource, target, definition.verbs),
    delete: deletion,
  });
}

/** An object, or a subresource that is read and written like an object. */
interface Target {
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly type: BodyType;
  readonly what: string;
}

function objectOperations(resource: Resource, target: Target, verbs: readonly string[]) {
  const { name, kind, type, what } = target;
  const parameters = [...objectParameters(resource), PRETTY];
  const common = { name, kind, verbs, returns: type };
  return {
    get: operation(resource, 'get', {
      ...common,
      description: `read ${what}`,
      parameters: resource.definition.custom ? [...parameters, ...GET_OPTIONS] : parameters,
    }),
    put: operation(resource, 'update', {
      ...common,
      description: `replace ${what}`,
      parameters: [...parameters, ...WRITE_OPTIONS],
      body: { type, required: true },
      codes: [200, 201],
    }),
    patch: operation(resource, 'patch', {
      ...common,
      description: `partially update ${what}`,
      parameters: [...parameters, ...PATCH_OPTIONS],
      body: { type: Patch, required: true },
      consumes: resource.media.patches,
      codes: resource.definition.custom ? [200] : [200, 201],
    }),
  };
}

function objectParameters({ nameOfObject, scope }: Resource): Parameter[] {
  return [nameOfObject, ...scope];
}

/** A kind with its article; a plural has none. */
function oneOf(kind: string): string {
  if (kind.endsWith('s') && !kind.endsWith('ss')) return kind;
  return `${/^[aeiou]/i.test(kind) ? 'an' : 'a'} ${kind}`;
}

function create(
  resource: Resource,
  { name, kind, type, description, verbs }: Omit<Target, 'what'> & { description: string; verbs?: readonly string[] },
  scope: readonly Parameter[],
): OperationDescription | undefined {
  return operation(resource, 'create', {
    name,
    kind,
    verbs,
    description,
    parameters: [...scope, ...WRITE_OPTIONS, PRETTY],
    body: { type, required: true },
    codes: [200, 201, 202],
    returns: type,
  });
}

function subresourcePaths(resource: Resource, subresource: string, facts: Subresource): Paths {
  const { definition, root, collection } = resource;
  const path = `${root}${collection}/{name}/${subresource}`;
  const name = resource.name + subresource.charAt(0).toUpperCase() + subresource.slice(1);
  const kind = facts.version === '' ? { ...resource.own, kind: facts.kind } : facts;
  const what = `${subresource} of the specified ${definition.kind}`;
  if (facts.kind.endsWith('Options'))
    return connectPaths(resource, { path, name, kind, subresource, verbs: facts.verbs });
  if (subresource === 'log') return [logPath(resource, { path, name, what })];
  const type =
    facts.kind === definition.kind ? resource.type : builtinType(kind.group, kind.version, kind.kind, definition.minor);
  const { verbs } = facts;
  // The scale of a custom resource is published as an operation of the resource.
  const told = definition.custom ? resource.own : groupVersionKind(kind);
  return [
    describePath(path, {
      ...objectOperations(resource, { name, kind: told, type, what }, verbs),
      post: create(
        resource,
        { name, kind: told, type, verbs, description: `create ${subresource} of ${oneOf(definition.kind)}` },
        objectParameters(resource),
      ),
    }),
  ];
}

function groupVersionKind({ group, version, kind }: GroupVersionKind): GroupVersionKind {
  return { group, version, kind };
}

interface Connection {
  readonly path: string;
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly subresource: string;
  readonly verbs: readonly string[];
}

const CONNECT_METHODS: readonly Method[] = ['get', 'post'];
const PROXY_METHODS: readonly Method[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** Connect paths: to a container, or through a proxy, which supports every method and path. */
function connectPaths(resource: Resource, { path, name, kind, subresource, verbs }: Connection): Paths {
  const isProxy = verbs.includes('update');
  const options = optionsParameters(builtinType(kind.group, kind.version, kind.kind, resource.definition.minor));
  const connect = (name: string, parameters: readonly Parameter[]) =>
    Object.fromEntries(
      (isProxy ? PROXY_METHODS : CONNECT_METHODS).map((method) => [
        method,
        operation(resource, 'connect', {
          name: method.charAt(0).toUpperCase() + method.slice(1) + name,
          kind: groupVersionKind(kind),
          verbs: ['connect'],
          description: `connect ${method.toUpperCase()} requests to ${subresource} of ${resource.definition.kind}`,
          parameters,
          produces: ['*/*'],
          returns: 'text',
        }),
      ]),
    );
  const parameters = [...objectParameters(resource), ...options];
  return [
    describePath(path, connect(name, parameters)),
    isProxy ? describePath(`${path}/{path}`, connect(`${name}WithPath`, [...parameters, PROXY_PATH])) : undefined,
  ];
}

function logPath(resource: Resource, { path, name, what }: { path: string; name: string; what: string }) {
  const options = optionsParameters(builtinType('', 'v1', 'PodLogOptions', resource.definition.minor));
  return describePath(path, {
    get: operation(resource, 'get', {
      name,
      description: `read ${what}`,
      parameters: [...objectParameters(resource), PRETTY, ...options],
      produces: ['text/plain', ...resource.media.objects],
      returns: 'text',
    }),
  });
}

const LIST_INSTEAD = "deprecated: use the 'watch' parameter with a list operation instead";
const WITH_ONE_ITEM = "filtered to a single item with the 'fieldSelector' parameter";

function watchPaths(resource: Resource): Paths {
  const { root, collection, name, definition, scope } = resource;
  const { kind } = definition;
  const watch = (action: 'watch' | 'watchlist', name: string, parameters: readonly Parameter[]) => ({
    get: operation(resource, action, {
      name,
      verbs: [action],
      description:
        action === 'watch'
          ? `watch changes to an object of kind ${kind}. ${LIST_INSTEAD}, ${WITH_ONE_ITEM}.`
          : `watch individual changes to a list of ${kind}. ${LIST_INSTEAD}.`,
      parameters: [...parameters, ...inRelease(LIST_OPTIONS, definition.minor), PRETTY],
      produces: resource.media.lists,
      returns: WatchEvent,
    }),
  });
  return [
    describePath(`${root}/watch${collection}`, watch('watchlist', `${name}List`, scope)),
    describePath(`${root}/watch${collection}/{name}`, watch('watch', name, objectParameters(resource))),
    definition.namespaced
      ? describePath(`${root}/watch/${definition.resource}`, watch('watchlist', `${kind}ListForAllNamespaces`, []))
      : undefined,
  ];
}

/** A verb's name in the operation ID and in x-kubernetes-action. */
const ACTIONS: Readonly<Record<string, readonly [id: string, action: string]>> = lookup({
  list: ['list', 'list'],
  create: ['create', 'post'],
  deletecollection: ['delete', 'deletecollection'],
  get: ['read', 'get'],
  update: ['replace', 'put'],
  patch: ['patch', 'patch'],
  delete: ['delete', 'delete'],
  connect: ['connect', 'connect'],
  watch: ['watch', 'watch'],
  watchlist: ['watch', 'watchlist'],
});

interface OperationInit {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly returns: BodyType;
  readonly body?: RequestBody | undefined;
  /** The resource's own by default. */
  readonly kind?: GroupVersionKind | undefined;
  /** The served verbs, if they differ from the resource's. */
  readonly verbs?: readonly string[] | undefined;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly codes?: readonly SuccessCode[];
}

/** An operation; undefined if its verb is not served. */
function operation(resource: Resource, verb: string, init: OperationInit): OperationDescription | undefined {
  const { own, media, definition } = resource;
  if (!(init.verbs ?? definition.verbs).includes(verb as never)) return undefined;
  const [id, action] = ACTIONS[verb] ?? [verb, verb];
  return {
    id: operationId(id, own, init.name),
    description: init.description,
    tag: tagOf(own.group, own.version),
    about: { action, kind: init.kind ?? own },
    parameters: init.parameters,
    body: init.body,
    consumes: init.consumes ?? media.consumed,
    produces: init.produces ?? media.objects,
    codes: init.codes ?? [200],
    returns: init.returns,
  };
}
