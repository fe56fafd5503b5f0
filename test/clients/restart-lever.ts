// Lets a client in another process restart the server under test: POST to /stop or /kill responds once the server is up
// again.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServerProcess } from './server-process.ts';

export class RestartLever implements AsyncDisposable {
  readonly #listener: Server;

  private constructor(listener: Server) {
    this.#listener = listener;
  }

  static async create(server: ServerProcess): Promise<RestartLever> {
    const listener = createServer(async (request, response) => {
      try {
        if (request.url === '/kill') await server.kill();
        else await server.stop();
        await server.start();
        response.end();
      } catch (error) {
        response.writeHead(500).end(String(error));
      }
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    return new RestartLever(listener);
  }

  /** The address it listens on. */
  get url(): string {
    return `http://127.0.0.1:${(this.#listener.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.closeAllConnections();
    await new Promise((resolve) => this.#listener.close(resolve));
  }
}
