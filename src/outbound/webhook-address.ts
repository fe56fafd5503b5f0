// Address of a webhook, from the `clientConfig` of an admission or conversion webhook.

import type { Json, JsonObject } from '../api/object.ts';
import type { WebhookAddress } from './webhook-call.ts';

const DEFAULT_PORT = 443;

/** @param config a valid one, with a URL or a service */
export function webhookAddress(config: JsonObject): WebhookAddress {
  const { url, service, caBundle } = config;
  const ca = bundleOf(caBundle);
  if (typeof service !== 'object' || service === null) return { url: cleanUrl(String(url)), service: undefined, ca };
  const { namespace, name, port, path } = service as JsonObject;
  const reference = { namespace: String(namespace), name: String(name), port: Number(port ?? DEFAULT_PORT) };
  const host = `${reference.name}.${reference.namespace}.svc:${reference.port}`;
  return { url: `https://${host}${cleanPath(String(path ?? ''))}`, service: reference, ca };
}

/** Base64 of PEM; white space only means none. */
function bundleOf(bundle: Json | undefined): string | undefined {
  const pem = typeof bundle === 'string' ? atob(bundle) : '';
  return pem.trim() === '' ? undefined : pem;
}

/** The address as written, with its path normalized. */
function cleanUrl(text: string): string {
  const origin = /^https:\/\/[^/]*/i.exec(text)?.[0] ?? text;
  return origin + cleanPath(text.slice(origin.length));
}

function cleanPath(path: string): string {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return `/${steps.join('/')}`;
}
