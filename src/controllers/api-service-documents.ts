// Controller that fetches discovery and OpenAPI documents of other API servers, whenever an APIService changes and
// every minute, so that clients are served from memory whatever those servers do.

import type { ApiServiceIndex, RemoteApiService } from '../aggregator/api-service-index.ts';
import type { AskApiService } from '../aggregator/ask.ts';
import { type RemoteDiscovery, readRemoteVersion } from '../aggregator/remote-discovery.ts';
import { type RemoteOpenApi, readRemoteOpenApi } from '../aggregator/remote-openapi.ts';
import { limits } from '../base/limits.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { WorkQueue } from './work-queue.ts';

export interface DocumentsContext extends ControllerContext {
  readonly apiServices: ApiServiceIndex;
  readonly askApiService: AskApiService;
  readonly remoteDiscovery: RemoteDiscovery;
  readonly remoteOpenApi: RemoteOpenApi;
}

/** Maintains one kind of document for each other server. */
class KeptDocuments implements Controller {
  readonly name: string;
  readonly #apiServices: ApiServiceIndex;
  readonly #queue: WorkQueue<string>;
  #stopFollowing: (() => void) | undefined;

  constructor(context: DocumentsContext, name: string, documents: Documents) {
    const { apiServices } = context;
    this.name = name;
    this.#apiServices = apiServices;
    const work = async (key: string) => {
      const apiService = apiServices.get(key);
      if (apiService?.service === undefined) {
        documents.forget(key);
        return undefined;
      }
      await documents.read(apiService as RemoteApiService);
      return limits.apiServiceRefreshMs;
    };
    this.#queue = new WorkQueue({ name, context, concurrency: limits.apiServiceReads, work });
  }

  async start(): Promise<void> {
    this.#stopFollowing = this.#apiServices.onChange((name) => this.#queue.add(name));
    for (const { name } of this.#apiServices.remotes()) this.#queue.add(name);
    this.#queue.start();
  }

  async stop(): Promise<void> {
    this.#stopFollowing?.();
    await this.#queue.stop();
  }
}

interface Documents {
  /** Never rejects because of another server. */
  readonly read: (apiService: RemoteApiService) => Promise<void>;
  readonly forget: (name: string) => void;
}

export function apiServiceDiscovery(context: DocumentsContext): Controller {
  const { remoteDiscovery, askApiService: ask, log, writes } = context;
  return new KeptDocuments(context, 'apiservice-discovery-controller', {
    async read(apiService) {
      const { name } = apiService;
      try {
        remoteDiscovery.set(name, await readRemoteVersion(apiService, { ask, turns: writes.registry.turns }));
      } catch (error) {
        log.debug(
          { file: 'api-service-documents', level: 1 },
          'failed to fetch the discovery documents of an API server',
          {
            apiService: name,
            error,
          },
        );
        remoteDiscovery.set(name, { resources: undefined, isStale: true, hash: '' });
      }
    },
    forget: (name) => remoteDiscovery.delete(name),
  });
}

export function apiServiceOpenApi(context: DocumentsContext): Controller {
  const { remoteOpenApi: into, askApiService: ask, log, writes } = context;
  return new KeptDocuments(context, 'apiservice-openapi-controller', {
    async read(apiService) {
      const { name } = apiService;
      for (const error of await readRemoteOpenApi(apiService, { ask, into, turns: writes.registry.turns })) {
        log.debug({ file: 'api-service-documents', level: 1 }, 'an API server has no OpenAPI document', {
          apiService: name,
          error,
        });
      }
    },
    forget: (name) => into.delete(name),
  });
}
