// Errors of a server that cannot listen, with advice.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { hostAndPort } from '../base/host-port.ts';
import { lookup } from '../base/lookup.ts';
import { InvalidOptionsError, type ServerOptions } from './options.ts';

/** The error to report for a system error; the system error itself if it is unknown. */
export function listenError(error: unknown, { bindAddress, securePort }: ServerOptions): unknown {
  return portError(error, { host: bindAddress, port: securePort, flag: '--secure-port' });
}

/** The same for a port of another flag. */
export function portError(
  error: unknown,
  { host, port, flag }: { readonly host: string; readonly port: number; readonly flag: string },
): unknown {
  const code = (error as { code?: unknown } | undefined)?.code;
  const advice = typeof code === 'string' ? ADVICE[code] : undefined;
  if (advice === undefined) return error;
  const place = hostAndPort({ host, port });
  return new InvalidOptionsError(`cannot listen on ${place}: ${advice(flag)}`, { cause: error });
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

/** By the system's code, given the flag of the port. */
const ADVICE: Readonly<Record<string, (flag: string) => string>> = lookup({
  EADDRINUSE: (flag) => `another program uses that port; set ${flag} to another one, or to 0 for any free one`,
  EACCES: (flag) => `that port needs more rights; set ${flag} to another one`,
  EADDRNOTAVAIL: () => 'this machine does not have that address; see --bind-address',
});
