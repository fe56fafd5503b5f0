// Connections of an administrator to one server, so many that each of its serving threads has some, for tests that ask
// each of them the same.

import { Agent, request } from 'node:https';
import { parse } from 'yaml';
import type { Server } from '../src/server/server.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests know what they ask for
  readonly body: any;
}

export class ManyConnections {
  /** One for each connection. */
  readonly agents: readonly Agent[];
  readonly #url: string;

  constructor({ url, kubeconfigText }: Pick<Server, 'url' | 'kubeconfigText'>, count: number) {
    this.#url = url;
    const { users } = parse(kubeconfigText) as { users: { user: Record<string, string> }[] };
    const pem = (name: string) => Buffer.from(users[0]!.user[name] ?? '', 'base64').toString();
    const credentials = { cert: pem('client-certificate-data'), key: pem('client-key-data') };
    this.agents = Array.from(
      { length: count },
      () => new Agent({ ...credentials, keepAlive: true, maxSockets: 1, rejectUnauthorized: false }),
    );
  }

  ask(agent: Agent, method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#url}${path}`, { agent, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece) => (text += piece));
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            text,
            get body() {
              return JSON.parse(text);
            },
          });
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  everywhere(method: string, path: string, body?: unknown): Promise<Answer[]> {
    return Promise.all(this.agents.map((agent) => this.ask(agent, method, path, body)));
  }

  close(): void {
    for (const agent of this.agents) agent.destroy();
  }
}
