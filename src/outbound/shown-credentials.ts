// What is shown to a server for one request: headers that say who asks and as whom, and a client certificate.

import type { OutgoingHttpHeaders } from 'node:http';
import type { ExecCredentials } from './exec-plugin.ts';
import type { WebhookCredentials } from './webhook-call.ts';

export interface ShownCredentials {
  readonly headers: OutgoingHttpHeaders;
  readonly clientCertificate: WebhookCredentials['clientCertificate'];
  /** Those of a plugin, which wants to know when they are refused. */
  readonly ofPlugin: ExecCredentials | undefined;
}

/** Rejects with an Error where a plugin gives none. */
export async function shownCredentials(of: WebhookCredentials | undefined): Promise<ShownCredentials> {
  if (of === undefined) return { headers: {}, clientCertificate: undefined, ofPlugin: undefined };
  const own = of.authorization();
  const isEnough = own !== undefined || of.clientCertificate !== undefined;
  const ofPlugin = isEnough ? undefined : await of.plugin?.credentials();
  const authorization = own ?? (ofPlugin?.token === undefined ? undefined : `Bearer ${ofPlugin.token}`);
  return {
    headers: { ...of.impersonation, ...(authorization === undefined ? {} : { authorization }) },
    clientCertificate: of.clientCertificate ?? ofPlugin?.clientCertificate,
    ofPlugin,
  };
}

/** Tells a plugin where the answer says that nobody knows its credentials. What it says to that is not waited for. */
export function noteAnswer(of: WebhookCredentials | undefined, shown: ShownCredentials, status: number): void {
  if (status !== 401 || shown.ofPlugin === undefined) return;
  of?.plugin?.refused(shown.ofPlugin).catch(() => {});
}
