// Kubeconfigs for users other than the administrator: client certificates that the server's own CA signs, from the
// files in the data folder, whether the server runs or not.

import { X509Certificate } from 'node:crypto';
import { join, resolve } from 'node:path';
import { dayOf } from '../api/timestamp.ts';
import type { Clock } from '../base/clock.ts';
import { readKubeconfig } from '../outbound/kubeconfig.ts';
import { readText, readTextIfThere } from './files.ts';
import { kubeconfigText } from './kubeconfig-text.ts';
import { BACKDATED_MS, fits } from './pki.ts';
import { type Issuer, issueCertificate } from './x509.ts';

interface UserRequest {
  readonly dataDir: string;
  readonly user: string;
  readonly groups: readonly string[];
  /** The server's URL; undefined for the one in the administrator's kubeconfig. */
  readonly server: string | undefined;
  /** How long the certificate is valid. */
  readonly lifetimeMs: number;
  readonly clock: Clock;
}

interface UserKubeconfig {
  readonly text: string;
  /** The end of the certificate. */
  readonly end: Date;
}

/** The administrator's kubeconfig in a data folder. @throws Error if no server has written one */
export function adminKubeconfigPath(dataDir: string): string {
  const path = join(resolve(dataDir), 'admin.kubeconfig');
  if (readTextIfThere(path) !== undefined) return path;
  throw new Error(
    `there is no admin.kubeconfig in ${resolve(dataDir)}: start a server on the folder once, or name another with --data-dir`,
  );
}

/** @throws Error whose message says why the folder's CA cannot issue a certificate that the server would trust */
export async function userKubeconfig(request: UserRequest): Promise<UserKubeconfig> {
  const { user, groups, clock } = request;
  const target = await readKubeconfig(adminKubeconfigPath(request.dataDir), readText);
  if (target.clientCertificate() === undefined) throw new Error(NOT_TRUSTED);
  const issuer = readIssuer(join(resolve(request.dataDir), 'pki'), clock.now());
  const end = new Date(clock.now() + request.lifetimeMs);
  const last = new X509Certificate(issuer.certPem).validToDate;
  if (end > last)
    throw new Error(`the certificate would outlive the CA that signs it, which ends on ${dayOf(last.getTime())}`);
  const credentials = issueCertificate({
    subject: { commonName: user, organizations: groups },
    use: { kind: 'client' },
    notBefore: new Date(clock.now() - BACKDATED_MS),
    notAfter: end,
    issuer,
  });
  const { server = target.server } = request;
  // With --tls-cert-file, clients verify the server by another CA than the one that signs.
  const caPem = target.ca ?? issuer.certPem;
  return {
    text: kubeconfigText({ server, caPem, user: { name: user, credentials }, context: `${user}@keelson` }),
    end,
  };
}

const NOT_TRUSTED =
  'the server has --client-ca-file, and trusts only certificates of the authorities in that file: let one of them sign, ' +
  'or start the server once without the flag';

function readIssuer(folder: string, now: number): Issuer {
  const [certFile, keyFile] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
  const [certPem, keyPem] = [readTextIfThere(certFile), readTextIfThere(keyFile)];
  if (certPem === undefined) {
    throw new Error(
      `there is no CA in ${folder}: the server on this folder keeps everything in memory (--store=memory)`,
    );
  }
  if (keyPem === undefined) {
    throw new Error(`${keyFile} is not there: to sign a certificate, bring the CA's key back from where it is kept`);
  }
  if (!fits({ certPem, keyPem }))
    throw new Error(`${keyFile} is not the key of ${certFile}, or one of them is damaged`);
  const { validToDate } = new X509Certificate(certPem);
  if (validToDate.getTime() > now) return { certPem, keyPem };
  throw new Error(
    `the CA in ${folder} ended on ${dayOf(validToDate.getTime())}: the next start of the server makes a new one`,
  );
}
