// Errors of a server that cannot listen, with advice.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { hostAndPort } from '../base/host-port.ts';
import { lookup } from '../base/lookup.ts';
import { InvalidOptionsError, type ServerOptions } from './options.ts';

/** The error to report for a system error; the system error itself if it is unknown. */
export function listenError(error: unknown, { bindAddress, securePort }: ServerOptions): unknown {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code !== 'string' || !Object.hasOwn(ADVICE, code)) return error;
  const place = hostAndPort({ host: bindAddress, port: securePort });
  return new InvalidOptionsError(`cannot listen on ${place}: ${ADVICE[code]}`, { cause: error });
}

/**
 * Listens for a moment, so that a start that is bound to fail leaves no keys and no store behind.
 * @throws InvalidOptionsError
 */
export async function assertCanListen(options: ServerOptions): Promise<void> {
  if (options.securePort === 0) return;
  const server = createServer();
  try {
    server.listen({ host: options.bindAddress, port: options.securePort, reusePort: options.permitPortSharing });
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, options);
  } finally {
    server.close();
  }
}

const ADVICE: Readonly<Record<string, string>> = lookup({
  EADDRINUSE: 'another program uses that port; set --secure-port to another one, or to 0 for any free one',
  EACCES: 'that port needs more rights; set --secure-port to another one',
  EADDRNOTAVAIL: 'this machine does not have that address; see --bind-address',
});
