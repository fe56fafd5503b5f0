// Request and address of a webhook call, shared by callers and the client.

import type { CallReason } from '../api/call-trace.ts';
import type { JsonObject } from '../api/object.ts';
import type { RequestLife } from '../api/request-life.ts';
import type { ExecPlugin } from './exec-plugin.ts';

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Where a webhook stands: behind a URL, or behind a service of the cluster. */
export interface WebhookAddress {
  /** With scheme, host and path, as messages show it: `https://hooks.tools.svc:443/check`. */
  readonly url: string;
  readonly service: ServiceReference | undefined;
  /** PEM of the authorities that vouch for it; undefined: those that the system trusts. */
  readonly ca: string | undefined;
}

/** How the server makes itself known to a webhook. */
export interface WebhookCredentials {
  /** The Authorization header. Read anew for each request where it stands in a file. */
  readonly authorization: () => string | undefined;
  /** PEM of the certificate that is shown, and of its key. */
  readonly clientCertificate: { readonly cert: string; readonly key: string } | undefined;
  /** Headers that say as whom it asks. */
  readonly impersonation?: Readonly<Record<string, string | string[]>> | undefined;
  /** Gives a token or a certificate where neither is there. */
  readonly plugin?: ExecPlugin | undefined;
}

/** The credentials for a webhook, given by host and port; undefined for none. */
export type WebhookUsers = (hostAndPort: string) => WebhookCredentials | undefined;

export interface WebhookCall {
  readonly address: WebhookAddress;
  /** Undefined where the server does not make itself known. */
  readonly credentials?: WebhookCredentials | undefined;
  /** JSON. */
  readonly body: string;
  /** The webhook is told how long it has: `?timeout=10s`. */
  readonly timeoutMs: number;
  /** What it is about, for the trace of the request; undefined where nothing is to be told. */
  readonly reason?: CallReason | undefined;
  /** The request that the answer is for; undefined where it is for nobody in particular. */
  readonly life?: RequestLife | undefined;
}

/** Asks webhooks. */
export interface WebhookCaller {
  /** The answer, read as JSON. @throws WebhookCallError */
  call(call: WebhookCall): Promise<JsonObject>;
}

/** A webhook that gave no answer that could be read; the message says why, in Go's words. */
export class WebhookCallError extends Error {
  override name = 'WebhookCallError';
  /** That of an answer which is a failure by its status; undefined where there is none, or one that can't be read. */
  readonly status: number | undefined;

  constructor(message: string, { status, ...options }: ErrorOptions & { readonly status?: number | undefined } = {}) {
    super(message, options);
    this.status = status;
  }
}
