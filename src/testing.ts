// A server for tests: ready in milliseconds, in memory, leaving no file and no open handle behind.
//
//   await using server = await startTestServer();
//   const pods = await server.get('/api/v1/namespaces/default/pods');

import type { ServerOptions } from './server/options.ts';
import { type Server, type ServerEnvironment, silentLog, startServer } from './server/server.ts';

export interface TestServerOptions extends Partial<ServerOptions> {
  /** Opens a port on 127.0.0.1 for clients that need one; without it fetch() alone reaches the server. */
  readonly listen?: boolean;
}

export interface TestServer extends Server {
  /** A bearer token of the administrator. */
  readonly token: string;
  /** Sends a request as the administrator; `body`, if any, as JSON. The answer's body is parsed. */
  request(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** Sends a patch as the administrator, a merge patch when no type is given. The answer's body is parsed. */
  patch(path: string, patch: unknown, contentType?: string): Promise<{ status: number; body: unknown }>;
}

/** Starts one. `environment` hands in a clock, a log or randomness of the test's own. */
export async function startTestServer(
  options: TestServerOptions = {},
  environment: Partial<ServerEnvironment> = {},
): Promise<TestServer> {
  const token = crypto.randomUUID();
  const administrator = { name: 'admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };
  const { listen = false, ...rest } = options;
  const server = await startServer(
    { store: 'memory', securePort: 0, ...rest },
    {
      log: silentLog,
      ephemeral: true,
      listens: listen,
      tokens: [{ permanent: true, authenticateToken: (given) => (given === token ? administrator : undefined) }],
      ...environment,
    },
  );
  const send = async (method: string, path: string, content: { type: string; value: unknown }) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': content.type };
    const init = content.value === undefined ? {} : { body: JSON.stringify(content.value) };
    const response = await server.fetch(new Request(`https://localhost${path}`, { method, headers, ...init }));
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const request: TestServer['request'] = (method, path, value) =>
    send(method, path, { type: 'application/json', value });
  const patch: TestServer['patch'] = (path, value, type = 'application/merge-patch+json') =>
    send('PATCH', path, { type, value });
  return Object.assign(server, { token, request, patch });
}
