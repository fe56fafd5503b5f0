// Certificates of the server and the CA bundle for verifying clients: from files named by options, or issued by the
// server's own CA. With a file of CAs for clients, only those count, and the administrator has a token instead of a
// certificate.

import { join, resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { goQuote } from '../base/go-quote.ts';
import type { Log } from '../base/log.ts';
import type { ListenerTls, NamedCertificate } from '../http/exchange/named-certificates.ts';
import type { FeatureGates } from '../lifecycle/feature-gates.ts';
import { certificatesFault } from './certificates-fault.ts';
import { readText } from './files.ts';
import { keyPairFault } from './key-pair.ts';
import { type NamedCertKey, tlsBounds } from './options/secure-serving.ts';
import type { ServerOptions } from './options.ts';
import {
  adminKubeconfig,
  adminToken,
  type Certificates,
  type FreshCertificates,
  loadCertificates,
  makeCertificates,
  servingHosts,
  writeAdminKubeconfig,
} from './pki.ts';
import { firstServiceAddress } from './service-range.ts';

export interface ServerCredentials {
  readonly tls: ListenerTls;
  /** The administrator's certificate, and the CA by which clients verify the server. */
  readonly certificates: Certificates;
  /** Those of the server's own CA, whatever the options name. */
  readonly own: Certificates | FreshCertificates;
  /** The administrator's token; undefined if the administrator's certificate is trusted. */
  readonly adminToken: string | undefined;
}

export interface CredentialOptions {
  readonly options: ServerOptions;
  /** The address for other machines; undefined if there is none. */
  readonly address: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Everything in memory: nothing is read from or written to the data folder. */
  readonly ephemeral: boolean;
  /** Existing certificates, for a server that replaces another one. */
  readonly made?: FreshCertificates | undefined;
}

/** @throws Error with the file that cannot be read or contains no certificate */
export function loadCredentials({
  options,
  address,
  clock,
  log,
  ephemeral,
  made,
}: CredentialOptions): ServerCredentials {
  const hosts = hostsOf(options, address);
  const own = ephemeral
    ? (made ?? makeCertificates({ clock, hosts }))
    : loadCertificates({ clock, hosts, log, folder: join(resolve(options.dataDir), 'pki') });
  return tlsOf(options, own);
}

/** The host names and addresses of the server. */
export function hostsOf(options: ServerOptions, address: string | undefined): string[] {
  const serviceAddress = firstServiceAddress(options.serviceClusterIpRange);
  return servingHosts(options.bindAddress, serviceAddress, [
    ...(address === undefined ? [] : [address]),
    ...options.tlsSan,
  ]);
}

/** The serving certificates and trusted CAs, from files named by options or else the server's own. @throws Error */
export function tlsOf(options: ServerOptions, own: ServerCredentials['own']): ServerCredentials {
  const { tlsCertFile, tlsPrivateKeyFile } = options;
  const pair =
    tlsCertFile === undefined || tlsPrivateKeyFile === undefined ? undefined : readPair(tlsCertFile, tlsPrivateKeyFile);
  const named = options.tlsSniCertKey.length === 0 ? {} : { named: options.tlsSniCertKey.map(namedCertificate) };
  const bounds = { ...tlsBounds(options), ...named };
  const { clientCaFile } = options;
  const ca = clientCaFile === undefined ? own.caCertPem : readBundle(clientCaFile, 'client-ca-bundle');
  const admin = { own, adminToken: clientCaFile === undefined ? undefined : adminToken(own) };
  const proxyFile = options.requestheaderClientCaFile;
  const proxyCa = proxyFile === undefined ? undefined : readBundle(proxyFile, 'request-header');
  if (pair === undefined) {
    const { servingCertPem: cert, servingKeyPem: key } = own;
    return { tls: { cert, key, ca, proxyCa, ...bounds }, certificates: own, ...admin };
  }
  return { tls: { ...pair, ca, proxyCa, ...bounds }, certificates: { ...own, caCertPem: pair.cert }, ...admin };
}

/** @throws Error with kube-apiserver's message */
function readPair(certFile: string, keyFile: string, name = 'serving-cert'): { cert: string; key: string } {
  const pair = { cert: readText(certFile), key: readText(keyFile) };
  if (pair.cert === '' || pair.key === '') {
    throw new Error(`missing content for serving cert ${goQuote(`${name}::${certFile}::${keyFile}`)}`);
  }
  const fault = keyPairFault(pair);
  if (fault !== undefined) throw new Error(fault);
  return pair;
}

/** @throws Error with kube-apiserver's message */
function namedCertificate({ certFile, keyFile, names }: NamedCertKey): NamedCertificate {
  try {
    const pair = readPair(certFile, keyFile, 'sni-serving-cert');
    return { ...pair, names: names.map((name) => name.toLowerCase()) };
  } catch (error) {
    throw new Error(`failed to load SNI cert and key: ${(error as Error).message}`, { cause: error });
  }
}

/** The CA for client certificates, as published for aggregated API servers; empty without TLS. */
export function clientAuthorities(
  credentials: ServerCredentials | undefined,
  options: ServerOptions,
  gates: FeatureGates,
): Record<string, string> {
  if (credentials === undefined) return {};
  const { ca, proxyCa } = credentials.tls;
  const clients = { 'client-ca-file': String(ca) };
  if (proxyCa === undefined) return clients;
  return {
    ...clients,
    'requestheader-allowed-names': JSON.stringify(options.requestheaderAllowedNames),
    'requestheader-client-ca-file': proxyCa,
    'requestheader-extra-headers-prefix': JSON.stringify(options.requestheaderExtraHeadersPrefix),
    'requestheader-group-headers': JSON.stringify(options.requestheaderGroupHeaders),
    // Left out where it is empty, as by kube-apiserver, which takes it away again where it finds it so.
    ...(gates.enabled('RemoteRequestHeaderUID') && options.requestheaderUidHeaders.length > 0
      ? { 'requestheader-uid-headers': JSON.stringify(options.requestheaderUidHeaders) }
      : {}),
    'requestheader-username-headers': JSON.stringify(options.requestheaderUsernameHeaders),
  };
}

/** @throws Error with kube-apiserver's message */
function readBundle(path: string, name: string): string {
  const text = readText(path);
  const bundle = goQuote(`${name}::${path}`);
  if (text === '') throw new Error(`missing content for CA bundle ${bundle}`);
  const fault = certificatesFault(text);
  if (fault !== undefined) throw new Error(`error loading CA bundle for ${bundle}: ${fault}`);
  return text;
}

/** The administrator's kubeconfig: its text, and the path it was written to, if any. */
export function publishKubeconfig(
  server: string,
  { certificates, adminToken: token }: ServerCredentials,
  folder: string | undefined,
): { text: string; path: string | undefined } {
  const text = adminKubeconfig({ server, certificates, token });
  if (folder === undefined) return { text, path: undefined };
  const path = join(resolve(folder), 'admin.kubeconfig');
  writeAdminKubeconfig(path, { server, certificates, token });
  return { text, path };
}
