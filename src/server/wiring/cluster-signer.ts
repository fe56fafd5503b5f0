// Signer of certificates that clients of the cluster request, with the authority of --cluster-signing-cert-file or the
// server's own. A server that keeps nothing and does not listen makes one when it first needs it.

import { join, resolve } from 'node:path';
import type { CertificateSigner } from '../../cluster/context.ts';
import type { ServerCredentials } from '../credentials.ts';
import { readText } from '../files.ts';
import type { Issuer } from '../x509.ts';
import type { WiringContext } from './context.ts';

/** @param own the server's certificates at the moment; undefined without a listener */
export function clusterSigner(
  { options, environment }: WiringContext,
  own: () => ServerCredentials['own'] | undefined,
): CertificateSigner {
  let made: Issuer | undefined;
  const { clusterSigningCertFile: certFile, clusterSigningKeyFile: keyFile } = options;
  // Files that cannot be read are an error at the start; later ones are read again, as they may be renewed.
  const given = () => (certFile && keyFile ? { certPem: readText(certFile), keyPem: readText(keyFile) } : undefined);
  given();
  const issuer = async (): Promise<Issuer> => {
    const named = given();
    if (named !== undefined) return named;
    const certificates = own() ?? environment.keys?.certificates;
    const known = certificates === undefined ? undefined : authorityIn(certificates);
    if (known !== undefined) return known;
    const { loadCertificates, makeCertificates } = await import('../pki.ts');
    const { clock, log } = environment;
    if (environment.ephemeral) {
      if (made === undefined) {
        const { caCertPem, caKeyPem } = makeCertificates({ clock, hosts: ['localhost'] });
        made = { certPem: caCertPem, keyPem: caKeyPem };
      }
      return made;
    }
    const folder = join(resolve(options.dataDir), 'pki');
    if (certificates === undefined) loadCertificates({ clock, hosts: ['localhost'], log, folder });
    return { certPem: readText(join(folder, 'ca.crt')), keyPem: readText(join(folder, 'ca.key')) };
  };
  return async ({ requestPem, usages, notBeforeMs, notAfterMs }) => {
    const { signRequest } = await import('../sign-request.ts');
    return signRequest({
      ...{ requestPem, usages, notBefore: new Date(notBeforeMs), notAfter: new Date(notAfterMs) },
      issuer: await issuer(),
    });
  };
}

/** The authority among certificates that include its key. */
function authorityIn(own: ServerCredentials['own']): Issuer | undefined {
  return 'caKeyPem' in own ? { certPem: own.caCertPem, keyPem: own.caKeyPem } : undefined;
}
