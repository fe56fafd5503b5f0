// Sends one request exactly as written, including its path: what the recordings' client would normalise (dots, escapes)
// is not changed, and the response is complete.

import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { gunzipSync } from 'node:zlib';
import type { Target } from '../conformance/client.ts';
import { encodeObject } from '../conformance/protobuf.ts';
import type { RequestSpec } from '../conformance/scenario.ts';
import type { Body } from './bodies.ts';
import { CBOR, cborOf } from './cbor-bodies.ts';
import { PROTOBUF, protobufOf } from './protobuf-bodies.ts';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

const answerTimeoutMs = 10_000;

// The servers have their own certificates: the port identifies the server.
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 64 });

/** Sends one request; rejects if the response is not complete in time. */
export function send(target: Target, spec: RequestSpec): Promise<Reply> {
  const { hostname, port } = new URL(target.url);
  let body: Buffer | undefined;
  try {
    body = bodyOf(spec);
  } catch (error) {
    return Promise.reject(error);
  }
  const own = {
    ...(spec.anonymous !== true && { authorization: `Bearer ${spec.token ?? target.token}` }),
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(body.length) }),
  };
  const merged: Record<string, string | null> = { ...own, ...spec.headers };
  const headers = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as Record<
    string,
    string
  >;
  return new Promise((resolve, reject) => {
    const method = spec.method ?? 'GET';
    const sent = request({ hostname, port, path: targetOf(spec), method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) });
      });
    });
    const timer = setTimeout(
      () => sent.destroy(new Error('no answer in time')),
      spec.requestTimeoutMs ?? answerTimeoutMs,
    );
    sent.on('close', () => clearTimeout(timer));
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.alloc(0) });
    });
    sent.on('error', reject).end(body);
  });
}

/** Path and query. */
function targetOf({ path, query }: RequestSpec): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== null) as [string, string][];
  if (given.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}

function bodyOf({ body, base64, protobufBody, headers }: RequestSpec): Buffer | undefined {
  if (protobufBody !== undefined) return encodeObject(protobufBody);
  if (body === undefined) return undefined;
  if (headers?.['content-type'] === PROTOBUF && typeof body === 'object') return protobufOf(body as Body);
  if (headers?.['content-type'] === CBOR && typeof body === 'object') return cborOf(body);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return Buffer.from(text, base64 === true ? 'base64' : 'utf8');
}

/** Returns the text of a response, decompressed. */
export function textOf({ headers, bytes }: Reply): string {
  const isPacked = headers['content-encoding'] === 'gzip';
  return (isPacked && bytes.length > 0 ? gunzipSync(bytes) : bytes).toString('utf8');
}
