// The HTTP client of the replayer: sends requests as described by a step and decodes the responses. Comparison is done
// elsewhere.

import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request as startRequest } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { decodeObject, encodeObject } from './protobuf.ts';
import type { RequestSpec } from './scenario.ts';

/** The server under test. */
export interface Target {
  readonly url: string;
  /** The administrator's bearer token. */
  readonly token: string;
  /** The CA in PEM. Without it the certificate is not verified. */
  readonly ca?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
}

const answerTimeoutMs = 30_000;

export class Client implements Disposable {
  readonly #target: Target;
  readonly #agent: Agent;

  constructor(target: Target) {
    this.#target = target;
    this.#agent = new Agent({ keepAlive: true, ca: target.ca, rejectUnauthorized: target.ca !== undefined });
  }

  get url(): string {
    return this.#target.url;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /** Sends one request; rejects if the response is not complete in time. */
  send(spec: RequestSpec): Promise<Answer> {
    const { bytes, contentType } = requestBody(spec);
    const headers: Record<string, string | number> = {};
    if (contentType !== undefined) headers['content-type'] = contentType;
    if (bytes !== undefined) headers['content-length'] = bytes.length;
    return new Promise((resolve, reject) => {
      const request = this.start(spec, headers, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        response.on('end', () => {
          const body = answerBody(Buffer.concat(chunks), response.headers, spec);
          resolve({ status: response.statusCode!, headers: pickHeaders(response.headers, spec), body });
        });
      });
      const timeoutMs = spec.requestTimeoutMs ?? answerTimeoutMs;
      request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer in ${timeoutMs} ms`)));
      request.on('error', reject).end(bytes);
    });
  }

  /** Starts a request with the step's headers, which override those in `own`. */
  start(spec: RequestSpec, own: Record<string, string | number>, onResponse?: (response: IncomingMessage) => void) {
    const url = new URL(this.#target.url + spec.path);
    for (const [name, value] of Object.entries(spec.query ?? {})) {
      if (value !== null) url.searchParams.append(name, value);
    }
    const authorization = spec.anonymous === true ? null : `Bearer ${spec.token ?? this.#target.token}`;
    const headers = { authorization, accept: 'application/json', ...own, ...spec.headers };
    const sent = Object.entries(headers).filter(([, value]) => value !== null);
    const options: RequestOptions = {
      method: spec.method ?? 'GET',
      headers: Object.fromEntries(sent) as Record<string, string>,
      agent: this.#agent,
    };
    return startRequest(url, options, onResponse);
  }
}

/** The headers that a step compares. */
export function pickHeaders(headers: IncomingHttpHeaders, spec: RequestSpec): Record<string, unknown> {
  const wanted = spec.headersOf ?? ['content-type', 'warning'];
  return Object.fromEntries(wanted.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

/** JSON, or `{ text }` if the body is not JSON. */
export function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}

function requestBody(spec: RequestSpec): { bytes?: Buffer; contentType?: string } {
  const { body, protobufBody, base64 } = spec;
  if (protobufBody !== undefined) {
    return { bytes: encodeObject(protobufBody), contentType: 'application/vnd.kubernetes.protobuf' };
  }
  if (body === undefined) return {};
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { bytes: Buffer.from(text, base64 === true ? 'base64' : 'utf8'), contentType: 'application/json' };
}

function answerBody(bytes: Buffer, headers: IncomingHttpHeaders, spec: RequestSpec): unknown {
  if (bytes.length === 0) return undefined;
  if (spec.binary === true) return { base64: bytes.toString('base64') };
  const encoded = headers['content-encoding'] ?? '';
  if (encoded === 'gzip' && spec.gunzip === true) return parseOr(gunzipSync(bytes).toString('utf8'));
  if (encoded !== '') return { encoded };
  if (spec.protobuf === true) return decodeObject(bytes);
  const text = bytes.toString('utf8');
  if (spec.text === true) return { text };
  if (spec.lines === undefined) return parseOr(text);
  const wanted = new RegExp(spec.lines);
  return { lines: text.split('\n').filter((line) => wanted.test(line)) };
}
