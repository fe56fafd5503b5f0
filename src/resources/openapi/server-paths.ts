// Paths that are not about a resource: discovery and the version.

import { apiVersionOf, type GroupVersion } from '../../api/group-version.ts';
import { lookup } from '../../base/lookup.ts';
import { builtinType } from '../builtin/types.ts';
import { type BodyType, describePath, type PathDescription } from './description.ts';
import { publishedMediaTypes } from './media-types.ts';
import { groupOperationId, operationId, tagOf } from './names.ts';
import { LOG_PATH, type Parameter } from './parameters.ts';
import { VersionInfo } from './server-types.ts';

const DOCUMENTS = publishedMediaTypes({ custom: false, cbor: false }).objects;

interface DocumentInit {
  readonly id: string;
  readonly description: string;
  readonly tag: string;
  readonly returns: BodyType;
  readonly mediaTypes?: readonly string[];
  /** The request body, if it differs from the response. */
  readonly consumes?: readonly string[];
}

function documentPath(path: string, init: DocumentInit): PathDescription[] {
  const { mediaTypes = DOCUMENTS, consumes = mediaTypes, ...facts } = init;
  const get = { ...facts, parameters: [], consumes, produces: mediaTypes, codes: [200] as const };
  const described = describePath(path, { get });
  return described === undefined ? [] : [described];
}

/** `/api/`: the versions of the core group. */
export function corePaths(): PathDescription[] {
  return documentPath('/api/', {
    id: 'getCoreAPIVersions',
    description: 'get available API versions',
    tag: 'core',
    returns: builtinType('', 'v1', 'APIVersions'),
  });
}

/** `/apis/`: all groups. */
export function groupsPaths(): PathDescription[] {
  return documentPath('/apis/', {
    id: 'getAPIVersions',
    description: 'get available API versions',
    tag: 'apis',
    returns: builtinType('', 'v1', 'APIGroupList'),
  });
}

/** `/apis/apps/`: one group. */
export function groupPaths(group: string): PathDescription[] {
  return documentPath(`/apis/${group}/`, {
    id: groupOperationId('get', group, 'APIGroup'),
    description: 'get information of a group',
    tag: tagOf(group),
    returns: builtinType('', 'v1', 'APIGroup'),
  });
}

/** `/apis/apps/v1/`: the resources of one version. @param cbor whether the server reads and writes CBOR */
export function versionPaths({ group, version }: GroupVersion, cbor: boolean): PathDescription[] {
  const groupVersion = apiVersionOf({ group, version });
  return documentPath(`/${group === '' ? 'api' : 'apis'}/${groupVersion}/`, {
    id: operationId('get', { group, version }, 'APIResources'),
    description: 'get available resources',
    tag: tagOf(group, version),
    returns: builtinType('', 'v1', 'APIResourceList'),
    mediaTypes: publishedMediaTypes({ custom: false, cbor }).objects,
  });
}

/** `/version/`: the server's own version. */
export function serverVersionPaths(): PathDescription[] {
  return documentPath('/version/', {
    id: 'getCodeVersion',
    description: 'get the version information for this server.',
    tag: 'version',
    returns: VersionInfo,
    mediaTypes: ['application/json'],
  });
}

/** The last minor release of Kubernetes 1 that publishes the logs of its machine by default. */
const LAST_WITH_LOGS = 30;

/** The logs of the server's machine, which are published but not served; undefined if the release has none. */
export function logPaths(minor: number): (() => PathDescription[]) | undefined {
  if (minor > LAST_WITH_LOGS) return undefined;
  const described = (path: string, id: string, parameters: readonly Parameter[]) => {
    const get = { id, tag: 'logs', parameters, consumes: [], produces: [], codes: [], returns: 'text' } as const;
    return describePath(path, { get }) ?? [];
  };
  return () =>
    [described('/logs/', 'logFileListHandler', []), described('/logs/{logpath}', 'logFileHandler', [LOG_PATH])].flat();
}

/** OpenID discovery, which verifiers of service account tokens use: the issuer's document and its keys. */
export const openIdDocuments: Readonly<Record<string, () => PathDescription[]>> = lookup({
  '.well-known/openid-configuration': () =>
    documentPath('/.well-known/openid-configuration/', {
      id: 'getServiceAccountIssuerOpenIDConfiguration',
      description: "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
      tag: 'WellKnown',
      returns: 'text',
      mediaTypes: ['application/json'],
      consumes: [],
    }),
  'openid/v1/jwks': () =>
    documentPath('/openid/v1/jwks/', {
      id: 'getServiceAccountIssuerOpenIDKeyset',
      description: 'get service account issuer OpenID JSON Web Key Set (contains public token verification keys)',
      tag: 'openid',
      returns: 'text',
      mediaTypes: ['application/jwk-set+json'],
      consumes: [],
    }),
});
