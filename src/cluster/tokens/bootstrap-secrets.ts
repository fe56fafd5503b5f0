// Secrets with bootstrap tokens: what a token may be used for, and until when.

import { Buffer } from 'node:buffer';
import type { Secret } from '../../resources/builtin/core/config/objects.ts';

export const TOKEN_NAMESPACE = 'kube-system';
const TYPE = 'bootstrap.kubernetes.io/token';
const PREFIX = 'bootstrap-token-';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export function isBootstrapToken({ metadata, type }: Secret): boolean {
  return metadata.namespace === TOKEN_NAMESPACE && type === TYPE;
}

/** When a token expires, in milliseconds; undefined if it does not. One with an unreadable time has expired. */
export function expiryOf(secret: Secret): number | undefined {
  const text = member(secret, 'expiration');
  if (text === '') return undefined;
  return TIME.test(text) ? Date.parse(text) : Number.NEGATIVE_INFINITY;
}

/** The token, if it may sign at that time. */
export function signingToken(
  secret: Secret,
  nowMs: number,
): { readonly id: string; readonly secret: string } | undefined {
  const [id, key] = [member(secret, 'token-id'), member(secret, 'token-secret')];
  if (id === '' || key === '' || secret.metadata.name !== `${PREFIX}${id}`) return undefined;
  if (member(secret, 'usage-bootstrap-signing') !== 'true') return undefined;
  return (expiryOf(secret) ?? Number.POSITIVE_INFINITY) > nowMs ? { id, secret: key } : undefined;
}

function member({ data }: Secret, name: string): string {
  return Buffer.from(data?.[name] ?? '', 'base64').toString();
}
