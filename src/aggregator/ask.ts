// Questions that the server itself puts to another API server: whether it is there, and what it serves.

import type { User } from '../auth/user.ts';
import type { RemoteApiService } from './api-service-index.ts';

export interface ApiServiceQuestion {
  /** GET when not given. */
  readonly method?: 'GET' | 'DELETE' | 'PATCH';
  /** Path and query. */
  readonly path: string;
  readonly body?: { readonly type: string; readonly text: string };
  /** In whose name. */
  readonly user: User;
  readonly accept?: string;
  /** Of the answer that is there already. */
  readonly etag?: string | undefined;
  /** False: whoever answers need not prove who he is, for nothing but the status is trusted. */
  readonly verified?: boolean;
}

export interface ApiServiceAnswer {
  readonly status: number;
  /** '' where none is named. */
  readonly contentType: string;
  readonly etag: string | undefined;
  readonly body: string;
  /** Whom was asked: `https://10.0.0.1:443/apis/x.io/v1`. */
  readonly url: string;
}

/** Rejects with AskError. No redirect is followed. */
export type AskApiService = (apiService: RemoteApiService, question: ApiServiceQuestion) => Promise<ApiServiceAnswer>;

/** Yields an answer piece by piece as it comes, until it ends or the signal does. Rejects with AskError. */
export type WatchApiService = (
  apiService: RemoteApiService,
  question: ApiServiceQuestion,
  signal: AbortSignal,
) => AsyncIterable<Uint8Array>;

/** A question without an answer; the message says why, in Go's words. */
export class AskError extends Error {
  override name = 'AskError';
  /** Whom was asked; '' where there is no way to him. */
  readonly url: string;

  constructor(url: string, message: string) {
    super(message);
    this.url = url;
  }
}

/** Who asks whether an API service is available, and what it serves. */
export const AGGREGATOR: User = Object.freeze({
  name: 'system:kube-aggregator',
  uid: '',
  groups: Object.freeze(['system:masters']),
  extra: Object.freeze({}),
});

/** Who asks for OpenAPI documents. */
export const OPENAPI_AGGREGATOR: User = Object.freeze({ ...AGGREGATOR, name: 'system:aggregator', groups: [] });
