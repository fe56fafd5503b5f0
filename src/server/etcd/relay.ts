// A relay to etcd members that cannot be reached by TCP alone: gRPC's client opens its connections itself, so it is
// given a Unix domain socket, in a private folder, for each member.

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import type { Dial } from '../../outbound/dial.ts';

/** The sockets of members. Members keep their names otherwise, including in TLS. */
export class EtcdRelay {
  readonly #dial: Dial;
  readonly #folder = mkdtempSync(join(tmpdir(), 'keelson-etcd-'));
  readonly #servers: Server[] = [];

  constructor(dial: Dial) {
    this.#dial = dial;
  }

  /** The socket of a member, created synchronously. @param address `host:port` */
  socketFor(address: string): string {
    const path = join(this.#folder, String(this.#servers.length));
    const colon = address.lastIndexOf(':');
    const host = address.slice(0, colon).replace(/^\[|\]$/g, '');
    const port = Number(address.slice(colon + 1));
    const server = createServer((socket) => {
      const beyond = this.#dial({ host, port, globalOnly: false });
      // When one side fails, the other is destroyed.
      pipeline(socket, beyond, socket, () => {});
    });
    server.listen(path);
    server.unref();
    this.#servers.push(server);
    return path;
  }

  close(): void {
    for (const server of this.#servers) server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
