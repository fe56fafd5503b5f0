// Headers of backends' responses as pairs, and the one that says how a body is compressed.

import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { HttpExchange } from '../exchange/transport.ts';
import type { BackendResponse } from './backends.ts';

/** Names and values, in their order. */
export function rawPairs(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) pairs.push([raw[index]!, raw[index + 1]!]);
  return pairs;
}

/**
 * A response without the compression that its client did not ask for; as in Go, not if the client wanted a part or the
 * headers alone.
 */
export function unzipped({ method, headers }: HttpExchange, answer: BackendResponse): BackendResponse {
  const { rawHeaders, body } = answer;
  const isAsked = (headers['accept-encoding'] ?? '') !== '' || headers['range'] !== undefined || method === 'HEAD';
  const given = rawPairs(rawHeaders);
  if (isAsked || !given.some(([name, value]) => /^content-encoding$/i.test(name) && value === 'gzip')) return answer;
  const kept = given.filter(([name]) => !/^content-(?:encoding|length)$/i.test(name));
  return { ...answer, rawHeaders: kept.flat(), body: pipeline(body, createGunzip(), () => {}) };
}
