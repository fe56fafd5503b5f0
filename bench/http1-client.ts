// A client for single requests of any size: the load generator's client does not support large bodies.

import { once } from 'node:events';
import { Agent, type RequestOptions, request } from 'node:https';
import type { Target } from './http2-connection.ts';

/** Node's own client over HTTP/1.1. */
export class Http1Client {
  readonly #target: Target;
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

  constructor(target: Target) {
    this.#target = target;
  }

  async create(path: string, object: unknown): Promise<void> {
    const { status, text } = await this.send('POST', path, { 'content-type': 'application/json' }, object);
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${text.slice(0, 400)}`);
  }

  async send(
    method: RequestOptions['method'],
    path: string,
    ...[headers, body]: [headers?: Record<string, string>, body?: unknown]
  ): Promise<{ status: number; text: string }> {
    const sent = request(this.#target.url + path, {
      method,
      agent: this.#agent,
      headers: { authorization: `Bearer ${this.#target.token}`, ...headers },
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(sent, 'response');
    const pieces: Buffer[] = [];
    for await (const piece of response) pieces.push(piece);
    return { status: response.statusCode, text: Buffer.concat(pieces).toString() };
  }

  close(): void {
    this.#agent.destroy();
  }
}
