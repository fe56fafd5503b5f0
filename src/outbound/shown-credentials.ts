// Credentials for one request: headers for authentication and impersonation, and a client certificate.

import type { OutgoingHttpHeaders } from 'node:http';
import type { ExecCredentials } from './exec-plugin.ts';
import type { ClientCertificate, WebhookCredentials } from './webhook-call.ts';

export interface ShownCredentials {
  readonly headers: OutgoingHttpHeaders;
  readonly clientCertificate: ClientCertificate | undefined;
  /** Those of a plugin, which is notified when they are rejected. */
  readonly ofPlugin: ExecCredentials | undefined;
}

/** Rejects with an Error if a plugin returns none. */
export async function shownCredentials(of: WebhookCredentials | undefined): Promise<ShownCredentials> {
  if (of === undefined) return { headers: {}, clientCertificate: undefined, ofPlugin: undefined };
  const own = of.authorization();
  const certificate = of.clientCertificate();
  const isEnough = own !== undefined || certificate !== undefined;
  const ofPlugin = isEnough ? undefined : await of.plugin?.credentials();
  const authorization = own ?? (ofPlugin?.token === undefined ? undefined : `Bearer ${ofPlugin.token}`);
  return {
    headers: { ...of.impersonation, ...(authorization === undefined ? {} : { authorization }) },
    clientCertificate: certificate ?? ofPlugin?.clientCertificate,
    ofPlugin,
  };
}

/** Notifies a plugin that its credentials were rejected, without waiting for it. */
export function noteAnswer(of: WebhookCredentials | undefined, shown: ShownCredentials, status: number): void {
  if (status !== 401 || shown.ofPlugin === undefined) return;
  of?.plugin?.refused(shown.ofPlugin).catch(() => {});
}
