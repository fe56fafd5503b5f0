// The server's own certificate authority: created on the first start and stored in the data folder. It issues the
// serving certificate and the administrator's client certificate, and renews both in time.

import { createHmac, createPrivateKey, X509Certificate } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { makeFolder, readTextIfThere, replaceFile } from './files.ts';
import { kubeconfigText } from './kubeconfig-text.ts';
import { type CertificateSubject, type CertificateUse, type Issuer, isAddress, issueCertificate } from './x509.ts';

export interface Certificates {
  readonly caCertPem: string;
  readonly servingCertPem: string;
  readonly servingKeyPem: string;
  readonly adminCertPem: string;
  readonly adminKeyPem: string;
}

/** Newly created certificates include the CA's key. */
export interface FreshCertificates extends Certificates {
  readonly caKeyPem: string;
}

interface CertificateOptions {
  readonly clock: Clock;
  /** Names and addresses of the serving certificate: see `servingHosts`. */
  readonly hosts: readonly string[];
}

interface StoredCertificateOptions extends CertificateOptions {
  /** The folder of the files; created if missing. */
  readonly folder: string;
  readonly log: Log;
}

const DAY_MS = 86_400_000;
const CA_LIFETIME_MS = 3650 * DAY_MS;
const LEAF_LIFETIME_MS = 365 * DAY_MS;
const RENEWED_BEFORE_END_MS = 30 * DAY_MS;
/** Clients whose clocks are slightly slow accept new certificates too. */
export const BACKDATED_MS = 300_000;

const CA: CertificateSubject = { commonName: 'keelson-ca' };
const SERVER: CertificateSubject = { commonName: 'kube-apiserver' };
/** Group and username of the administrator, as created by Kubernetes' own tools. */
export const ADMIN = { commonName: 'kubernetes-admin', organizations: ['system:masters'] } as const;

/**
 * The hosts of a serving certificate: this machine, the listening address (unless unspecified), the `kubernetes`
 * service, and `more`.
 */
export function servingHosts(bindAddress: string, serviceAddress: string, more: readonly string[] = []): string[] {
  const service = 'kubernetes.default.svc.cluster.local'.split('.');
  const serviceNames = [1, 2, 3, 5].map((length) => service.slice(0, length).join('.'));
  const bound = bindAddress === '0.0.0.0' || bindAddress === '::' ? [] : [bindAddress];
  return [...new Set(['localhost', ...serviceNames, '127.0.0.1', '::1', serviceAddress, ...bound, ...more])];
}

/** A set of certificates in memory, for servers that persist nothing. */
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

/** Reissues certificates in memory that expire within 30 days; returns its argument if there are none. */
export function renewCertificates(options: CertificateOptions, kept: FreshCertificates): FreshCertificates {
  const { clock, hosts } = options;
  const ends = (pem: string) => endsSoon(new X509Certificate(pem), clock.now());
  if (ends(kept.caCertPem)) return makeCertificates(options);
  const issuer = { certPem: kept.caCertPem, keyPem: kept.caKeyPem };
  let next = kept;
  if (ends(kept.servingCertPem)) {
    const { certPem, keyPem } = issue(clock, { subject: SERVER, use: { kind: 'server', hosts }, issuer });
    next = { ...next, servingCertPem: certPem, servingKeyPem: keyPem };
  }
  if (ends(kept.adminCertPem)) {
    const { certPem, keyPem } = issue(clock, { subject: ADMIN, use: { kind: 'client' }, issuer });
    next = { ...next, adminCertPem: certPem, adminKeyPem: keyPem };
  }
  return next;
}

/**
 * The certificates in a folder; those that are missing, expire within 30 days, or do not match their key, CA or hosts
 * are reissued. The CA's key may be kept elsewhere as long as nothing has to be issued; otherwise this throws an error
 * that says so.
 */
export function loadCertificates(options: StoredCertificateOptions): Certificates {
  const { folder, clock, hosts, log } = options;
  makeFolder(folder);
  const authority = loadAuthority(options);
  const parsedCa = authority.certificate;
  const leaf = (file: string, subject: CertificateSubject, use: CertificateUse): Issuer => {
    const kept = readPair(folder, file);
    if (kept !== undefined && isUsable(kept, { ca: parsedCa, now: clock.now(), use })) return kept;
    log.info('created a certificate', { file: join(folder, `${file}.crt`), replaced: kept !== undefined });
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
  readonly certificate: X509Certificate;
  readonly certPem: string;
  key(): string;
}

function loadAuthority({ folder, clock, log }: StoredCertificateOptions): Authority {
  const certPem = readTextIfThere(join(folder, 'ca.crt'));
  const certificate = certPem === undefined ? undefined : parsedAuthority(folder, certPem);
  if (certPem !== undefined && certificate !== undefined && !endsSoon(certificate, clock.now())) {
    return { certPem, certificate, key: () => readCaKey(folder, certPem) };
  }
  if (certPem !== undefined) log.warn('the CA expired and was replaced; clients need the new one', { folder });
  const made = issue(clock, { subject: CA, use: { kind: 'authority' } });
  writePair(folder, 'ca', made);
  return { certPem: made.certPem, certificate: new X509Certificate(made.certPem), key: () => made.keyPem };
}

/** @throws Error that names the file, for a certificate that is damaged in any bit */
function parsedAuthority(folder: string, certPem: string): X509Certificate {
  let certificate: X509Certificate | undefined;
  try {
    certificate = new X509Certificate(certPem);
  } catch {
    // Reported below.
  }
  if (certificate?.verify(certificate.publicKey) === true) return certificate;
  throw new Error(`${join(folder, 'ca.crt')} is not an intact certificate: ${RESTORE_AUTHORITY}`);
}

const RESTORE_AUTHORITY =
  'restore it from a backup; or remove ca.crt and ca.key, and the next start makes a new authority, which all clients need then';

function readCaKey(folder: string, certPem: string): string {
  const file = join(folder, 'ca.key');
  const keyPem = readTextIfThere(file);
  if (keyPem === undefined)
    throw new Error(`${file} is missing, and a certificate must be signed with it: ${RESTORE_AUTHORITY}`);
  if (!fits({ certPem, keyPem }))
    throw new Error(`${file} is not the key of ${join(folder, 'ca.crt')}: ${RESTORE_AUTHORITY}`);
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

/** Whether certificate and key are readable and match. */
export function fits({ certPem, keyPem }: Issuer): boolean {
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

/** The key first: a later start would fail because of a certificate without its key. */
function writePair(folder: string, name: string, { certPem, keyPem }: Issuer): void {
  replaceFile(join(folder, `${name}.key`), keyPem, { mode: 0o600, durable: true });
  replaceFile(join(folder, `${name}.crt`), certPem, { mode: 0o644, durable: true });
}

interface KubeconfigOptions {
  /** The URL for clients: https://127.0.0.1:6443 */
  readonly server: string;
  readonly certificates: Certificates;
  /** The administrator's token, for a server that does not trust the CA of the certificates; undefined otherwise. */
  readonly token?: string | undefined;
}

/** A token for the administrator, known to whoever has the key of the administrator's certificate. */
export function adminToken({ adminKeyPem }: Certificates): string {
  return createHmac('sha256', adminKeyPem).update(`bearer token of ${ADMIN.commonName}`).digest('base64url');
}

/** Writes the administrator's kubeconfig, readable only by its owner, unless it already has this content. */
export function writeAdminKubeconfig(path: string, options: KubeconfigOptions): void {
  const text = adminKubeconfig(options);
  if (readTextIfThere(path) === text) {
    chmodSync(path, 0o600);
    return;
  }
  makeFolder(dirname(path));
  // The next start rewrites what a crash of the machine has corrupted.
  replaceFile(path, text, { mode: 0o600, durable: false });
}

/** The text of a kubeconfig whose only context is the administrator of this server. */
export function adminKubeconfig({ server, certificates, token }: KubeconfigOptions): string {
  const { caCertPem: caPem, adminCertPem: certPem, adminKeyPem: keyPem } = certificates;
  const credentials = token === undefined ? { certPem, keyPem } : { token };
  return kubeconfigText({ server, caPem, user: { name: ADMIN.commonName, credentials }, context: 'keelson' });
}
