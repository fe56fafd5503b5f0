// Interface of webhook calls, shared by callers and the client.

import type { CallReason } from '../api/call-trace.ts';
import type { JsonObject } from '../api/object.ts';
import type { RequestLife } from '../api/request-life.ts';
import type { ExecPlugin } from './exec-plugin.ts';

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** The location of a webhook: a URL, or a service of the cluster. */
export interface WebhookAddress {
  /** With scheme, host and path, as in messages: `https://hooks.tools.svc:443/check`. */
  readonly url: string;
  readonly service: ServiceReference | undefined;
  /** PEM of its CAs; undefined for the system's. */
  readonly ca: string | undefined;
}

/** Credentials for a webhook. */
/** Texts in PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface WebhookCredentials {
  /** The Authorization header; computed for each request if the token is in a file. */
  readonly authorization: () => string | undefined;
  /** The client certificate; read for each request if it is in files. */
  readonly clientCertificate: () => ClientCertificate | undefined;
  /** Impersonation headers. */
  readonly impersonation?: Readonly<Record<string, string | string[]>> | undefined;
  /** Supplies a token or certificate if there is neither. */
  readonly plugin?: ExecPlugin | undefined;
}

/** The credentials for a webhook, by host and port; undefined for none. */
export type WebhookUsers = (hostAndPort: string) => WebhookCredentials | undefined;

export interface WebhookCall {
  readonly address: WebhookAddress;
  /** Undefined for no credentials. */
  readonly credentials?: WebhookCredentials | undefined;
  /** JSON. */
  readonly body: string;
  /** The timeout, or what is left of the time of the request if that is less, is sent to the webhook: `?timeout=10s`. */
  readonly timeoutMs: number;
  /** Attributes for tracing; undefined for none. */
  readonly reason?: CallReason | undefined;
  /** The request on whose behalf the webhook is called; undefined for none. */
  readonly life?: RequestLife | undefined;
}

/** Calls webhooks. */
export interface WebhookCaller {
  /** The parsed JSON response. @throws WebhookCallError */
  call(call: WebhookCall): Promise<JsonObject>;
}

/** A webhook without a valid response; the message is Go's. */
export class WebhookCallError extends Error {
  override name = 'WebhookCallError';
  /** The error of an unsuccessful response; undefined if there was none, or an invalid one. */
  readonly status: number | undefined;

  constructor(message: string, { status, ...options }: ErrorOptions & { readonly status?: number | undefined } = {}) {
    super(message, options);
    this.status = status;
  }
}
