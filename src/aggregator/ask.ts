// Requests by the server itself to another API server: availability and discovery.

import type { User } from '../auth/user.ts';
import type { RemoteApiService } from './api-service-index.ts';

export interface ApiServiceQuestion {
  /** GET by default. */
  readonly method?: 'GET' | 'DELETE' | 'PATCH';
  /** Path and query. */
  readonly path: string;
  readonly body?: { readonly type: string; readonly text: string };
  /** The user. */
  readonly user: User;
  readonly accept?: string;
  /** The ETag of a cached response. */
  readonly etag?: string | undefined;
  /** False: the server's certificate is not verified, because only the status is used. */
  readonly verified?: boolean;
}

export interface ApiServiceAnswer {
  readonly status: number;
  /** '' if absent. */
  readonly contentType: string;
  readonly etag: string | undefined;
  readonly body: string;
  /** The URL of the request: `https://10.0.0.1:443/apis/x.io/v1`. */
  readonly url: string;
}

/** Rejects with AskError. Redirects are not followed. */
export type AskApiService = (apiService: RemoteApiService, question: ApiServiceQuestion) => Promise<ApiServiceAnswer>;

/** Yields a response chunk by chunk, until it ends or the signal is aborted. Rejects with AskError. */
export type WatchApiService = (
  apiService: RemoteApiService,
  question: ApiServiceQuestion,
  signal: AbortSignal,
) => AsyncIterable<Uint8Array>;

/** A request without a response; the message is Go's. */
export class AskError extends Error {
  override name = 'AskError';
  /** The URL of the request; '' if there is no address. */
  readonly url: string;

  constructor(url: string, message: string) {
    super(message);
    this.url = url;
  }
}

/** The user of availability checks and discovery. */
export const AGGREGATOR: User = Object.freeze({
  name: 'system:kube-aggregator',
  uid: '',
  groups: Object.freeze(['system:masters']),
  extra: Object.freeze({}),
});

/** The user of requests for OpenAPI documents. */
export const OPENAPI_AGGREGATOR: User = Object.freeze({ ...AGGREGATOR, name: 'system:aggregator', groups: [] });
