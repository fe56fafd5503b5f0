// The serving certificate that test environments place in the folder of --cert-dir without naming it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerOptions } from './options.ts';

/** The options with that pair of files, if it exists and no other is configured. */
export function withCertDir(options: ServerOptions): ServerOptions {
  const { certDir, tlsCertFile } = options;
  if (certDir === undefined || tlsCertFile !== undefined) return options;
  const [cert, key] = [join(certDir, 'apiserver.crt'), join(certDir, 'apiserver.key')];
  return existsSync(cert) && existsSync(key) ? { ...options, tlsCertFile: cert, tlsPrivateKeyFile: key } : options;
}
