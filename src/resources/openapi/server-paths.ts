// The paths that are about no resource: which groups, versions and resources there are, and the server's version.

import { apiVersionOf, type GroupVersion } from '../../api/group-version.ts';
import type { StructNode } from '../../schema/node.ts';
import { builtinType } from '../builtin/types.ts';
import { describePath, type PathDescription } from './description.ts';
import { publishedMediaTypes } from './media-types.ts';
import { groupOperationId, operationId, tagOf } from './names.ts';
import { VersionInfo } from './server-types.ts';

const DOCUMENTS = publishedMediaTypes({ custom: false, cbor: false }).objects;

interface DocumentInit {
  readonly id: string;
  readonly description: string;
  readonly tag: string;
  readonly returns: StructNode;
  readonly mediaTypes?: readonly string[];
}

function documentPath(path: string, init: DocumentInit): PathDescription[] {
  const { mediaTypes = DOCUMENTS, ...facts } = init;
  const get = { ...facts, parameters: [], consumes: mediaTypes, produces: mediaTypes, codes: [200] as const };
  const described = describePath(path, { get });
  return described === undefined ? [] : [described];
}

/** `/api/`: the versions of the core group. */
export function corePaths(): PathDescription[] {
  return documentPath('/api/', {
    id: 'getCoreAPIVersions',
    description: 'Tells the versions of the core group.',
    tag: 'core',
    returns: builtinType('', 'v1', 'APIVersions'),
  });
}

/** `/apis/`: all groups. */
export function groupsPaths(): PathDescription[] {
  return documentPath('/apis/', {
    id: 'getAPIVersions',
    description: 'Tells the groups that are served.',
    tag: 'apis',
    returns: builtinType('', 'v1', 'APIGroupList'),
  });
}

/** `/apis/apps/`: one group. */
export function groupPaths(group: string): PathDescription[] {
  return documentPath(`/apis/${group}/`, {
    id: groupOperationId('get', group, 'APIGroup'),
    description: `Tells the versions of the group ${group}.`,
    tag: tagOf(group),
    returns: builtinType('', 'v1', 'APIGroup'),
  });
}

/** `/apis/apps/v1/`: the resources of one version. @param cbor whether the server reads and writes CBOR */
export function versionPaths({ group, version }: GroupVersion, cbor: boolean): PathDescription[] {
  const groupVersion = apiVersionOf({ group, version });
  return documentPath(`/${group === '' ? 'api' : 'apis'}/${groupVersion}/`, {
    id: operationId('get', { group, version }, 'APIResources'),
    description: `Tells the resources of ${groupVersion}.`,
    tag: tagOf(group, version),
    returns: builtinType('', 'v1', 'APIResourceList'),
    mediaTypes: publishedMediaTypes({ custom: false, cbor }).objects,
  });
}

/** `/version/`: the server's own version. */
export function serverVersionPaths(): PathDescription[] {
  return documentPath('/version/', {
    id: 'getCodeVersion',
    description: "Tells the server's version.",
    tag: 'version',
    returns: VersionInfo,
    mediaTypes: ['application/json'],
  });
}
