// The serving certificate that test environments put into the folder of --cert-dir instead of naming it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerOptions } from './options.ts';

/** The options with the pair in that folder, where it is there and no other is named. */
export function withCertDir(options: ServerOptions): ServerOptions {
  const { certDir, tlsCertFile } = options;
  if (certDir === undefined || tlsCertFile !== undefined) return options;
  const [cert, key] = [join(certDir, 'apiserver.crt'), join(certDir, 'apiserver.key')];
  return existsSync(cert) && existsSync(key) ? { ...options, tlsCertFile: cert, tlsPrivateKeyFile: key } : options;
}
