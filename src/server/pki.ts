// The server's own certificate authority: made on the first start, kept in the data folder, used again ever after.
// It issues the serving certificate and the administrator's client certificate and renews both in time.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { makeFolder, readTextIfThere, replaceFile } from './files.ts';
import { type CertificateSubject, type CertificateUse, type Issuer, isAddress, issueCertificate } from './x509.ts';

export interface Certificates {
  readonly caCertPem: string;
  readonly servingCertPem: string;
  readonly servingKeyPem: string;
  readonly adminCertPem: string;
  readonly adminKeyPem: string;
}

/** Certificates that were made just now come with their CA's key. */
export interface FreshCertificates extends Certificates {
  readonly caKeyPem: string;
}

interface CertificateOptions {
  readonly clock: Clock;
  /** Names and addresses that the serving certificate stands for: see `servingHosts`. */
  readonly hosts: readonly string[];
}

interface StoredCertificateOptions extends CertificateOptions {
  /** The folder that holds the files; made when absent. */
  readonly folder: string;
  readonly log: Log;
}

const DAY_MS = 86_400_000;
const CA_LIFETIME_MS = 3650 * DAY_MS;
const LEAF_LIFETIME_MS = 365 * DAY_MS;
const RENEWED_BEFORE_END_MS = 30 * DAY_MS;
/** Clients whose clocks are a little slow accept new certificates too. */
const BACKDATED_MS = 300_000;

const CA: CertificateSubject = { commonName: 'keelson-ca' };
const SERVER: CertificateSubject = { commonName: 'kube-apiserver' };
/** The group and name of the administrator that Kubernetes' own tools make. */
const ADMIN: CertificateSubject = { commonName: 'kubernetes-admin', organizations: ['system:masters'] };

/**
 * The hosts that a serving certificate needs: this machine, the address that the server listens on (unless it is every
 * address), the service that programs in the cluster reach it by, and `more`.
 */
export function servingHosts(bindAddress: string, serviceAddress: string, more: readonly string[] = []): string[] {
  const service = 'kubernetes.default.svc.cluster.local'.split('.');
  const serviceNames = [1, 2, 3, 5].map((length) => service.slice(0, length).join('.'));
  const bound = bindAddress === '0.0.0.0' || bindAddress === '::' ? [] : [bindAddress];
  return [...new Set(['localhost', ...serviceNames, '127.0.0.1', '::1', serviceAddress, ...bound, ...more])];
}

/** A whole set of certificates in memory, for servers that keep nothing. */
export function makeCertificates(options: CertificateOptions): FreshCertificates {
  const ca = issue(options.clock, { subject: CA, use: { kind: 'authority' } });
  const serving = issue(options.clock, { subject: SERVER, use: { kind: 'server', hosts: options.hosts }, issuer: ca });
  const admin = issue(options.clock, { subject: ADMIN, use: { kind: 'client' }, issuer: ca });
  return {
    caCertPem: ca.certPem,
    caKeyPem: ca.keyPem,
    servingCertPem: serving.certPem,
    servingKeyPem: serving.keyPem,
    adminCertPem: admin.certPem,
    adminKeyPem: admin.keyPem,
  };
}

/**
 * The certificates kept in a folder; those that are absent, within 30 days of their end, or do not fit their key, their
 * CA or the hosts are made anew. The CA's key may be kept elsewhere as long as nothing needs to be made; otherwise this
 * throws and says so.
 */
export function loadCertificates(options: StoredCertificateOptions): Certificates {
  const { folder, clock, hosts, log } = options;
  makeFolder(folder);
  const authority = loadAuthority(options);
  const parsedCa = new X509Certificate(authority.certPem);
  const leaf = (file: string, subject: CertificateSubject, use: CertificateUse): Issuer => {
    const kept = readPair(folder, file);
    if (kept !== undefined && isUsable(kept, { ca: parsedCa, now: clock.now(), use })) return kept;
    log.info('made a certificate', { file: join(folder, `${file}.crt`), replaced: kept !== undefined });
    const made = issue(clock, { subject, use, issuer: { certPem: authority.certPem, keyPem: authority.key() } });
    writePair(folder, file, made);
    return made;
  };
  const serving = leaf('serving', SERVER, { kind: 'server', hosts });
  const admin = leaf('admin', ADMIN, { kind: 'client' });
  return {
    caCertPem: authority.certPem,
    servingCertPem: serving.certPem,
    servingKeyPem: serving.keyPem,
    adminCertPem: admin.certPem,
    adminKeyPem: admin.keyPem,
  };
}

interface Authority {
  readonly certPem: string;
  key(): string;
}

function loadAuthority({ folder, clock, log }: StoredCertificateOptions): Authority {
  const certPem = readTextIfThere(join(folder, 'ca.crt'));
  if (certPem !== undefined && !endsSoon(new X509Certificate(certPem), clock.now())) {
    return { certPem, key: () => readCaKey(folder, certPem) };
  }
  if (certPem !== undefined) log.warn('the CA expired and was replaced; clients need the new one', { folder });
  const made = issue(clock, { subject: CA, use: { kind: 'authority' } });
  writePair(folder, 'ca', made);
  return { certPem: made.certPem, key: () => made.keyPem };
}

function readCaKey(folder: string, certPem: string): string {
  const file = join(folder, 'ca.key');
  const keyPem = readTextIfThere(file);
  if (keyPem === undefined) throw new Error(`${file} is missing, and a certificate must be made with it`);
  if (!fits({ certPem, keyPem })) throw new Error(`${file} is not the key of ${join(folder, 'ca.crt')}`);
  return keyPem;
}

function issue(clock: Clock, wanted: { subject: CertificateSubject; use: CertificateUse; issuer?: Issuer }): Issuer {
  const { subject, use, issuer } = wanted;
  const now = clock.now();
  const lastDay =
    issuer === undefined ? now + CA_LIFETIME_MS : new X509Certificate(issuer.certPem).validToDate.getTime();
  const end = issuer === undefined ? lastDay : Math.min(now + LEAF_LIFETIME_MS, lastDay);
  return issueCertificate({ subject, use, notBefore: new Date(now - BACKDATED_MS), notAfter: new Date(end), issuer });
}

function isUsable(pair: Issuer, need: { ca: X509Certificate; now: number; use: CertificateUse }): boolean {
  if (!fits(pair)) return false;
  const certificate = new X509Certificate(pair.certPem);
  if (endsSoon(certificate, need.now) || !certificate.verify(need.ca.publicKey)) return false;
  return need.use.kind !== 'server' || namesExactly(certificate, need.use.hosts);
}

/** Whether certificate and key can be read and belong together. */
function fits({ certPem, keyPem }: Issuer): boolean {
  try {
    return new X509Certificate(certPem).checkPrivateKey(createPrivateKey(keyPem));
  } catch {
    return false;
  }
}

function endsSoon(certificate: X509Certificate, now: number): boolean {
  return certificate.validToDate.getTime() - now < RENEWED_BEFORE_END_MS;
}

function namesExactly(certificate: X509Certificate, hosts: readonly string[]): boolean {
  const count = certificate.subjectAltName?.split(', ').length ?? 0;
  return (
    count === hosts.length &&
    hosts.every((host) => (isAddress(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined)
  );
}

function readPair(folder: string, name: string): Issuer | undefined {
  const certPem = readTextIfThere(join(folder, `${name}.crt`));
  const keyPem = readTextIfThere(join(folder, `${name}.key`));
  return certPem === undefined || keyPem === undefined ? undefined : { certPem, keyPem };
}

/** The key first: a certificate without its key is what a later start would trip over. */
function writePair(folder: string, name: string, { certPem, keyPem }: Issuer): void {
  replaceFile(join(folder, `${name}.key`), keyPem, { mode: 0o600, durable: true });
  replaceFile(join(folder, `${name}.crt`), certPem, { mode: 0o644, durable: true });
}

interface KubeconfigOptions {
  readonly path: string;
  /** The server's address as clients reach it: https://127.0.0.1:6443 */
  readonly server: string;
  readonly certificates: Certificates;
}

/** Writes the administrator's kubeconfig, readable by the owner alone, unless it is there already, word for word. */
export function writeAdminKubeconfig({ path, server, certificates }: KubeconfigOptions): void {
  const text = adminKubeconfig(server, certificates);
  if (readTextIfThere(path) === text) {
    chmodSync(path, 0o600);
    return;
  }
  makeFolder(dirname(path));
  // What a crash of the machine spoils is written anew by the next start.
  replaceFile(path, text, { mode: 0o600, durable: false });
}

/** The text of a kubeconfig whose one context is the administrator of this server. */
export function adminKubeconfig(server: string, certificates: Certificates): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return `apiVersion: v1
kind: Config
clusters:
- name: keelson
  cluster:
    server: ${JSON.stringify(server)}
    certificate-authority-data: ${base64(certificates.caCertPem)}
users:
- name: ${ADMIN.commonName}
  user:
    client-certificate-data: ${base64(certificates.adminCertPem)}
    client-key-data: ${base64(certificates.adminKeyPem)}
contexts:
- name: keelson
  context:
    cluster: keelson
    user: ${ADMIN.commonName}
current-context: keelson
preferences: {}
`;
}
