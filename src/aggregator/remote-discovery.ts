// Cache of other API servers' discovery documents. Discovery is served from it, so that clients do not wait for another
// server.

import { isObject } from '../api/is-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { listAt, textAt } from '../resources/value.ts';
import { answeredObject, answerHash, type ReadingTurns } from './answered-object.ts';
import type { RemoteApiService } from './api-service-index.ts';
import { AGGREGATOR, type ApiServiceAnswer, type AskApiService } from './ask.ts';
import { discoveryPath } from './probe.ts';

/** A group version as described by its server. */
export interface RemoteVersion {
  /** In the form of aggregated discovery; undefined if unknown. */
  readonly resources: readonly Json[] | undefined;
  /** Whether the last fetch failed. */
  readonly isStale: boolean;
  /** Identifies the server's response; '' for none. */
  readonly hash: string;
}

export class RemoteDiscovery {
  readonly #versions = new Map<string, RemoteVersion>();
  #generation = 0;

  /** Increases with every change. */
  get generation(): number {
    return this.#generation;
  }

  /** By the name of the APIService. Before the first fetch nothing is known. */
  get(name: string): RemoteVersion | undefined {
    return this.#versions.get(name);
  }

  set(name: string, version: RemoteVersion): void {
    const before = this.#versions.get(name);
    this.#versions.set(name, version);
    if (before?.isStale !== version.isStale || before.hash !== version.hash) this.#generation++;
  }

  delete(name: string): void {
    if (this.#versions.delete(name)) this.#generation++;
  }
}

const TYPE = (version: string) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
const AGGREGATED = `${TYPE('v2')},${TYPE('v2beta1')}`;
const JSON_TYPE = 'application/json';

/**
 * Fetches the discovery document of an APIService; like kube-apiserver, once it has been probed, available or not.
 *
 * Rejects if the server does not respond, or with an invalid document.
 */
export async function readRemoteVersion(
  apiService: RemoteApiService,
  { ask, turns }: { ask: AskApiService; turns: ReadingTurns },
): Promise<RemoteVersion> {
  if (!apiService.probed) throw new Error('service unavailable');
  const all = await ask(apiService, { path: '/apis', user: AGGREGATOR, accept: AGGREGATED });
  if (all.status === 503) throw new Error(`bad status from ${all.url}: ${all.status}`);
  const described = async ({ body }: ApiServiceAnswer, read: (document: JsonObject) => Json[] | undefined) => ({
    resources: read(await answeredObject(body, turns)),
    isStale: false,
    hash: await answerHash(body, turns),
  });
  if (all.status === 200 && isAggregated(all.contentType)) {
    return await described(all, (document) => aggregatedResources(document, apiService));
  }
  const user = { ...AGGREGATOR, groups: [] };
  const one = await ask(apiService, { path: discoveryPath(apiService), user, accept: JSON_TYPE });
  if (one.status !== 200) throw new Error(`bad status from ${one.url}: ${one.status}`);
  return await described(one, (document) => folded(listAt(document, 'resources')));
}

function isAggregated(contentType: string): boolean {
  const parameters = contentType.split(';').map((part) => part.trim());
  const has = (parameter: string) => parameters.includes(parameter);
  return has('g=apidiscovery.k8s.io') && has('as=APIGroupDiscoveryList') && (has('v=v2') || has('v=v2beta1'));
}

/** @returns undefined if the document does not contain the version */
function aggregatedResources(document: JsonObject, { group, version }: RemoteApiService): Json[] | undefined {
  const own = listAt(document, 'items').find((item) => textAt(item, 'metadata', 'name') === group);
  const found = listAt(own, 'versions').find((each) => textAt(each, 'version') === version);
  return found === undefined ? undefined : listAt(found, 'resources').filter(isObject).map(withKinds);
}

/** Old clients do not expect a resource without a response kind. */
function withKinds(resource: JsonObject): JsonObject {
  const subresources = listAt(resource, 'subresources').filter(isObject);
  return {
    ...resource,
    responseKind: resource['responseKind'] ?? { group: '', version: '', kind: '' },
    ...(subresources.length === 0
      ? {}
      : {
          subresources: subresources.map((each) => ({
            ...each,
            responseKind: each['responseKind'] ?? { group: '', version: '', kind: '' },
          })),
        }),
  };
}

/** The resources of a legacy document, which lists subresources next to their resource. */
function folded(listed: readonly Json[]): JsonObject[] {
  const resources = new Map<string, JsonObject>();
  for (const each of listed) {
    const name = textAt(each, 'name');
    if (isObject(each) && !name.includes('/')) resources.set(name, foldedResource(name, each));
  }
  for (const each of listed) {
    const [name = '', ...rest] = textAt(each, 'name').split('/');
    if (!isObject(each) || rest.length === 0) continue;
    const owner: JsonObject = resources.get(name) ?? {
      resource: name,
      responseKind: {},
      scope: scopeOf(each),
      verbs: [],
    };
    resources.set(name, owner);
    const known = listAt(owner, 'subresources');
    owner['subresources'] = [
      ...known,
      { subresource: rest.join('/'), responseKind: responseKind(each), verbs: listAt(each, 'verbs') },
    ];
  }
  return [...resources.values()];
}

function foldedResource(name: string, resource: JsonObject): JsonObject {
  const { singularName = '', shortNames, categories, verbs = [] } = resource;
  return {
    resource: name,
    responseKind: responseKind(resource),
    scope: scopeOf(resource),
    singularResource: singularName,
    verbs,
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(categories === undefined ? {} : { categories }),
  };
}

function responseKind({ group = '', version = '', kind = '' }: JsonObject): JsonObject {
  return { group, version, kind };
}

function scopeOf({ namespaced }: JsonObject): string {
  return namespaced === true ? 'Namespaced' : 'Cluster';
}
