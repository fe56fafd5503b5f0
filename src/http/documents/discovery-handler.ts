// Discovery of groups, versions and resources, as individual legacy documents or as the aggregated document. Documents
// are built once for each state of the catalog; aggregated ones have an ETag.

import { createHash } from 'node:crypto';
import type { PublishedGroup } from '../../aggregator/api-service-index.ts';
import { allGroups, listedGroups } from '../../aggregator/published.ts';
import type { RemoteVersion } from '../../aggregator/remote-discovery.ts';
import { errors } from '../../api/errors.ts';
import { apiVersionOf } from '../../api/group-version.ts';
import type { JsonObject } from '../../api/object.ts';
import { withoutTrailing } from '../../base/without-trailing.ts';
import {
  aggregatedCore,
  aggregatedGroups,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  type StorageHash,
} from '../../resources/discovery.ts';
import { countedPaths } from '../filters/counted-paths.ts';
import type { RequestContext } from '../request-context.ts';
import type { RequestServices } from '../request-services.ts';
import { CBOR_TYPE } from '../response/cbor-bytes.ts';
import { checkAcceptable, documentFormat } from '../response/negotiate.ts';
import { PROTOBUF_TYPE } from '../response/protobuf-bytes.ts';
import { respondValue } from '../response/value-response.ts';
import {
  type AggregatedDocument,
  type AggregatedForm,
  aggregatedDocument,
  aggregatedForm,
  aggregatedType,
} from './aggregated-discovery.ts';
import { MergedDocuments } from './merged-documents.ts';

const AGGREGATOR_GROUP = 'apiregistration.k8s.io';

const storageHash: StorageHash = (text) => createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');

/** Placeholder for a server whose document has not been fetched yet. */
const NOT_ASKED: RemoteVersion = { resources: undefined, isStale: true, hash: '' };

export class DiscoveryHandler {
  readonly #services: RequestServices;
  readonly #aggregated = new Map<string, Promise<AggregatedDocument>>();
  /** Those with what only other servers on the same store serve. */
  readonly #merged: MergedDocuments;
  #generation = '';
  #listed: readonly PublishedGroup[] = [];
  #listedGeneration = '';

  constructor(services: RequestServices) {
    this.#services = services;
    this.#merged = new MergedDocuments(services, () => this.#ownGroups());
  }

  /** The paths of all documents. */
  paths(): string[] {
    const paths = ['/api', '/apis', '/apis/'];
    const core = this.#services.catalog.groups.find(({ group }) => group === '');
    for (const { version } of core?.versions ?? []) paths.push(`/api/${version}`);
    for (const { group, versions } of this.#groups()) {
      paths.push(`/apis/${group}`);
      for (const { version } of versions) paths.push(`/apis/${apiVersionOf({ group, version })}`);
    }
    return paths;
  }

  /** Responds to a discovery path. @returns false if the group is not served @throws ApiError 404, 405, 406 */
  async respond(context: RequestContext, path: string): Promise<boolean> {
    const { catalog } = this.#services;
    const segments = withoutTrailing(path.slice(1), '/').split('/');
    const [root, group = '', version] = segments;
    // The routes of built-in groups ignore all trailing slashes, the other routes a single one.
    const isBuiltin = root === 'api' || (group !== '' && catalog.hasGroup(group) && !catalog.isCustom(group));
    if (path.endsWith('//') && !isBuiltin) return false;
    if (root === 'api' && segments.length === 1) {
      if (context.exchange.method === 'GET') checkContentType(context, context.services.settings.cborDocuments);
      if (await this.#respondAggregated(context, 'api')) return true;
      return this.#document(context, () => apiVersions(catalog, context.services.settings.externalAddress()));
    }
    if (root === 'apis' && segments.length === 1) {
      // With a slash at its end, this path has no aggregated form.
      if (path === '/apis' && (await this.#respondAggregated(context, 'apis'))) return true;
      // The aggregator serves this document too, for every method.
      await respondValue(context, { value: apiGroupList(this.#groups()), format: documentFormat(context) });
      return true;
    }
    if (root === 'api' && segments.length === 2) return this.#resources(context, '', group);
    if (root !== 'apis' || segments.length > 3 || group === '') return false;
    if (version !== undefined) {
      if (!catalog.hasGroup(group)) return false;
      if (catalog.isCustom(group) && !catalog.hasVersion(group, version)) return false;
      return this.#resources(context, group, version);
    }
    // A group whose APIServices were deleted is not listed, but still served.
    const value = apiGroup(this.#groups(), group) ?? apiGroup(catalog.groups, group);
    if (value === undefined) return false;
    const format = documentFormat(context);
    // The aggregator serves this document for every method, except for its own group and paths that end in several
    // slashes.
    const isRoute = group === AGGREGATOR_GROUP || path.endsWith('//');
    if (isRoute && context.exchange.method !== 'GET') throw errors.methodNotAllowed();
    await respondValue(context, { value, format });
    return true;
  }

  async #resources(context: RequestContext, group: string, version: string): Promise<boolean> {
    const { catalog } = this.#services;
    if (!catalog.hasVersion(group, version)) throw errors.noSuchPath();
    const hasRoutes = !catalog.isCustom(group);
    return this.#document(context, () => apiResourceList(catalog, { group, version }, storageHash), {
      ofVersion: true,
      hasRoutes,
    });
  }

  async #document(
    context: RequestContext,
    make: () => unknown,
    { ofVersion = false, hasRoutes = true } = {},
  ): Promise<boolean> {
    // As with resources, only the routes of built-in groups check methods and headers themselves.
    if (hasRoutes) {
      if (context.exchange.method !== 'GET') throw errors.methodNotAllowed();
      const { cbor, cborDocuments } = context.services.settings;
      checkContentType(context, ofVersion ? cbor : cborDocuments);
      checkAcceptable(context, false);
    }
    const types = ofVersion ? (hasRoutes ? 'of resources' : 'without CBOR') : undefined;
    await respondValue(context, { value: make(), format: documentFormat(context, types) });
    return true;
  }

  /** @returns false if the client does not ask for the aggregated form */
  async #respondAggregated(context: RequestContext, root: 'api' | 'apis'): Promise<boolean> {
    const { headers, method } = context.exchange;
    if (root === 'api' && method !== 'GET') return false;
    const { settings, writes } = this.#services;
    const beta = !writes.registry.gateEnabled('AggregatedDiscoveryRemoveBetaType');
    const form = aggregatedForm(headers.accept, { cbor: settings.cbor, beta });
    if (form === undefined) return false;
    context.countAs(countedPaths[root]);
    const document = await this.#documentOf(root, form);
    const answer = { ...context.headers(undefined), 'cache-control': 'public', etag: document.etag, vary: 'Accept' };
    if (headers['if-none-match'] === document.etag) {
      context.respond(304, answer, undefined);
      return true;
    }
    if (context.audit?.recordsResponses === true) {
      const { body } = await this.#documentOf(root, { ...form, mediaType: 'application/json' });
      context.audit.answersText(body.toString());
    }
    context.respond(200, { ...answer, 'content-type': aggregatedType(form) }, document.body);
    return true;
  }

  #documentOf(root: 'api' | 'apis', form: AggregatedForm): Promise<AggregatedDocument> {
    const discovery = form.version === 'v2' ? this.#services.peers?.discovery : undefined;
    if (discovery === undefined) return this.#aggregatedDocument(root, form);
    if (form.nopeer) this.#services.metrics.aggregator.nopeerRequest();
    if (form.nopeer || root === 'api') return this.#aggregatedDocument(root, form);
    return this.#merged.document(discovery, form, this.#state());
  }

  /** The groups in the legacy documents. */
  #groups(): readonly PublishedGroup[] {
    const { catalog, apiServices } = this.#services;
    const generation = `${catalog.generation} ${apiServices.generation}`;
    if (this.#listedGeneration !== generation) {
      this.#listed = listedGroups(catalog, apiServices);
      this.#listedGeneration = generation;
    }
    return this.#listed;
  }

  /** A version of another server in the aggregated form; undefined for versions of this server. */
  #foreign(group: string, version: string): JsonObject | undefined {
    const { apiServices, remoteDiscovery } = this.#services;
    const remote = apiServices.remote(group, version);
    if (remote === undefined) return undefined;
    const { resources, isStale } = remoteDiscovery.get(remote.name) ?? NOT_ASKED;
    return {
      version,
      ...(resources === undefined ? {} : { resources: [...resources] }),
      freshness: isStale ? 'Stale' : 'Current',
    };
  }

  #aggregatedDocument(root: 'api' | 'apis', form: AggregatedForm): Promise<AggregatedDocument> {
    const generation = this.#state();
    if (this.#generation !== generation) {
      this.#aggregated.clear();
      this.#generation = generation;
    }
    const key = `${root} ${aggregatedType(form)}`;
    let document = this.#aggregated.get(key);
    if (document === undefined) {
      document = this.#makeAggregated(root, form);
      this.#aggregated.set(key, document);
      if (root === 'apis') this.#services.metrics.aggregator.discoveryMade();
    }
    return document;
  }

  /** Tells apart states in which the document of this server differs. */
  #state(): string {
    const { catalog, apiServices, remoteDiscovery } = this.#services;
    return `${catalog.generation} ${apiServices.generation} ${remoteDiscovery.generation}`;
  }

  /** Long with many custom resources, so other requests run in between. */
  async #makeAggregated(root: 'api' | 'apis', form: AggregatedForm): Promise<AggregatedDocument> {
    const { catalog, turns } = this.#services;
    const turn = turns.begin({ taskName: 'aggregated discovery' });
    return aggregatedDocument(root === 'api' ? aggregatedCore(catalog) : this.#ownGroups(), form, turn);
  }

  #ownGroups(): JsonObject {
    const { catalog, apiServices } = this.#services;
    const foreign = (group: string, version: string) => this.#foreign(group, version);
    return aggregatedGroups(catalog, allGroups(catalog, apiServices), foreign);
  }
}

const CONTENT_TYPES = ['application/json', 'application/yaml', PROTOBUF_TYPE];

/**
 * A request without a body may still have a Content-Type, which the route must support.
 * @param cbor whether CBOR is supported
 * @throws ApiError 415
 */
function checkContentType({ exchange }: RequestContext, cbor = false): void {
  const header = exchange.headers['content-type'] ?? '';
  if (header === '') return;
  const types = header.split(',').map((type) => type.split(';', 1)[0]!.trim());
  if (!types.some((type) => CONTENT_TYPES.includes(type) || (cbor && type === CBOR_TYPE)))
    throw errors.unsupportedPatchType();
}
